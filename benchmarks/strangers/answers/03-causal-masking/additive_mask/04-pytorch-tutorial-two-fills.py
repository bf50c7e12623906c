def additive_mask(mask, dtype=torch.float32):
    m = mask.to(dtype)
    m = m.masked_fill(mask == False, float("-inf")).masked_fill(mask == True, float(0.0))
    return m
