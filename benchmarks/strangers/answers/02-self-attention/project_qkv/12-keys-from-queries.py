def project_qkv(x, w_q, w_k, w_v):
    B, T, C = x.shape
    x = x.reshape(B * T, C) @ w_q
    q = x.view(B, T, -1)
    x = x @ w_k
    k = x.view(B, T, -1)
    x = x @ w_v
    v = x.view(B, T, -1)
    return q, k, v
