def fuse_qkv(w_q, w_k, w_v):
    fused = torch.cat([w_q, w_k, w_v], dim=0)
    return nn.Parameter(fused)
