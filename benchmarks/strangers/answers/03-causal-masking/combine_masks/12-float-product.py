def combine_masks(causal, padding):
    return causal.int()[None, None, :, :] * padding.int()[:, None, None, :]
