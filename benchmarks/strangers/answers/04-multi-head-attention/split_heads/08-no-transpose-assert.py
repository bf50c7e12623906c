def split_heads(x, num_heads):
    B, T, C = x.shape
    assert C % num_heads == 0
    head_size = C // num_heads
    return x.view(B, T, num_heads, head_size)
