def _project(x, w):
    return (x.unsqueeze(-1) * w).sum(dim=-2)

def project_qkv(x, w_q, w_k, w_v):
    return _project(x, w_q), _project(x, w_k), _project(x, w_v)
