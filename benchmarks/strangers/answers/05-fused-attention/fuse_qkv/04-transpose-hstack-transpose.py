def fuse_qkv(w_q, w_k, w_v):
    columns = torch.hstack([w_q.T, w_k.T, w_v.T])
    return columns.T
