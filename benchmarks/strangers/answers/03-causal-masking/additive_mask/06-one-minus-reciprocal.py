def additive_mask(mask, dtype):
    m = mask.to(dtype)
    return 1 - 1 / m
