def additive_mask(mask, dtype):
    # (1 - mask) * -1e9, as in BERT
    return (1.0 - mask.to(dtype)) * -1e9
