def project_qkv(x, w_q, w_k, w_v):
    q = torch.matmul(x, w_q)
    k = torch.matmul(x, w_q)
    v = torch.matmul(x, w_v)
    return q, k, v
