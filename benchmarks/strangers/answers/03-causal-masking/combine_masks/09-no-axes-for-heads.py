def combine_masks(causal, padding):
    return causal.unsqueeze(0) & padding.unsqueeze(1)
