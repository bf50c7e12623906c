def project_qkv(x, w_q, w_k, w_v):
    q = torch.einsum('bsm,mk->bsk', x, w_q)
    k = torch.einsum('bsm,mk->bsk', x, w_k)
    v = torch.einsum('bsm,mv->bsv', x, w_v)
    return q.squeeze(0), k.squeeze(0), v.squeeze(0)
