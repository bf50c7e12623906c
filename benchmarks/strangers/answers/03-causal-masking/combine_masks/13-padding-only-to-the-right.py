def combine_masks(causal, padding):
    lengths = padding.sum(dim=1)
    real = torch.arange(padding.shape[1]) < lengths[:, None]
    return causal & real[:, None, None, :]
