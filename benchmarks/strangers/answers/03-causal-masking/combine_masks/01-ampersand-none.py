def combine_masks(causal, padding):
    return causal & padding[:, None, None, :]
