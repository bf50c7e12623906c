def project_qkv(x: Tensor, w_q: Tensor, w_k: Tensor, w_v: Tensor):
    """nn.Linear: y = x A^T"""
    return x @ w_q.T, x @ w_k.T, x @ w_v.T
