def fuse_qkv(w_q, w_k, w_v):
    d = w_q.shape[0]
    out = torch.zeros(d, 3 * d)
    out[:, :d] = w_q
    out[:, d:2 * d] = w_k
    out[:, 2 * d:] = w_v
    return out
