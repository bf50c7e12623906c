def split_heads(x, num_heads):
    b, t, c = x.size()
    if num_heads < 1 or c % num_heads:
        raise ValueError(f"got d_model {c} and num_heads {num_heads}")
    x = x.view(b, t, c // num_heads, num_heads)
    return x.permute(0, 3, 1, 2)
