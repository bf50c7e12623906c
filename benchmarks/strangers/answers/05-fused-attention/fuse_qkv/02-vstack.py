def fuse_qkv(w_q, w_k, w_v):
    # rows below each other
    return torch.vstack((w_q, w_k, w_v))
