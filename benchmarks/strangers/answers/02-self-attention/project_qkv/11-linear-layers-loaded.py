def _layer(w):
    lin = nn.Linear(w.shape[0], w.shape[1], bias=False)
    lin.weight = nn.Parameter(w.T)
    return lin

def project_qkv(x, w_q, w_k, w_v):
    return _layer(w_q)(x), _layer(w_k)(x), _layer(w_v)(x)
