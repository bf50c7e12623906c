def fuse_qkv(w_q, w_k, w_v):
    # the order of nn.MultiheadAttention(key, query, value)
    return torch.cat((w_k, w_q, w_v))
