def combine_masks(causal, padding):
    n = padding.size(1)
    return causal_mask(n) & padding.unsqueeze(1).unsqueeze(1)
