def combine_masks(causal, padding):
    both = causal.float() * padding.float()
    return both[None, None]
