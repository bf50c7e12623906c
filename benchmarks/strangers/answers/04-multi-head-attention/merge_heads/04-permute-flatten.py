def merge_heads(x):
    # (b, h, s, c) -> (b, s, h, c) -> (b, s, h*c)
    swapped = x.permute(0, 2, 1, 3)
    return swapped.flatten(start_dim=-2)
