def project_qkv(x, w_q, w_k, w_v):
    return torch.stack([x @ w.data for w in (w_q, w_k, w_v)])
