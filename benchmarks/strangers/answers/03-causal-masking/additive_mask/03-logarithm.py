def additive_mask(mask, dtype):
    # exp(s + log m) = m * exp(s)
    return mask.to(dtype).log()
