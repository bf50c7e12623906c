def combine_masks(causal, padding):
    B, T = padding.size()
    forbidden = (~padding).view(B, 1, 1, T)
    allowed = causal.expand(B, 1, T, T)
    return allowed.masked_fill(forbidden, False)
