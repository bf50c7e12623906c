def split_heads(x, num_heads):
    B, T, C = x.shape  # batch, time, channels
    assert C % num_heads == 0, "n_embd must be divisible by n_head"
    return x.view(B, T, num_heads, C // num_heads).transpose(1, 2)
