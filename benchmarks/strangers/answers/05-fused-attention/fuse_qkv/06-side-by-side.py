def fuse_qkv(w_q, w_k, w_v):
    return torch.cat([w_q, w_k, w_v], dim=-1)
