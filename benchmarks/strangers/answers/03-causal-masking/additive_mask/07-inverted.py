def additive_mask(mask, dtype):
    zeros = torch.zeros_like(mask, dtype=dtype)
    return zeros.masked_fill(mask, float("-inf"))
