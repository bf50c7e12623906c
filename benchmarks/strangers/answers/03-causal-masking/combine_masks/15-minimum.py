def combine_masks(causal, padding):
    return torch.minimum(causal[None, None], padding[:, None, None])
