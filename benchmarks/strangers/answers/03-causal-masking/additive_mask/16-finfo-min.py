def additive_mask(mask, dtype):
    out = torch.zeros_like(mask, dtype=dtype)
    return out.masked_fill(~mask, torch.finfo(dtype).min)
