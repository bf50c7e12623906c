def project_qkv(x, w_q, w_k, w_v):
    w = torch.cat([w_q, w_k, w_v], dim=1)
    qkv = torch.matmul(x, w)
    return qkv.split([w_q.size(1), w_k.size(1), w_v.size(1)], dim=-1)
