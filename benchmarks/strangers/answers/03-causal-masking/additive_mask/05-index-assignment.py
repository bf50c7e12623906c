def additive_mask(mask, dtype):
    bias = torch.empty_like(mask, dtype=dtype)
    bias[mask] = 0
    bias[~mask] = -torch.inf
    return bias
