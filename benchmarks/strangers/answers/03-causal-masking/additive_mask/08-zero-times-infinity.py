def additive_mask(mask, dtype):
    return (~mask).to(dtype) * -math.inf
