def fuse_qkv(w_q, w_k, w_v):
    return torch.stack([w_q, w_k, w_v], dim=0)
