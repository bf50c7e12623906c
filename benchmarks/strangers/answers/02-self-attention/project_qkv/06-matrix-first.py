def project_qkv(x, w_q, w_k, w_v):
    xt = x.mT  # columns are tokens
    Q = w_q.T @ xt
    K = w_k.T @ xt
    V = w_v.T @ xt
    return Q, K, V
