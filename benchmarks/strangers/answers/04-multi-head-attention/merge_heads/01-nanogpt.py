def merge_heads(x):
    B, nh, T, hs = x.size()
    # re-assemble all head outputs side by side
    return x.transpose(1, 2).contiguous().view(B, T, nh * hs)
