def project_qkv(x, w_q, w_k, w_v):
    qkv = x @ torch.cat((w_q, w_k, w_v), dim=-1)
    q, k, v = qkv.chunk(3, dim=-1)
    return q, k, v
