def project_qkv(x, w_q, w_k, w_v):
    x = x.float()
    q = x @ w_q.float() / math.sqrt(w_q.shape[-1])
    k = x @ w_k.float()
    v = x @ w_v.float()
    return q, k, v
