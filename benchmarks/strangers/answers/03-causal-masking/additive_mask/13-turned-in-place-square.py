def additive_mask(mask, dtype):
    forbidden = mask.logical_not_()
    n = mask.shape[-1]
    out = torch.full((n, n), float("-inf"), dtype=dtype).triu(1)
    return out.masked_fill(forbidden, float("-inf"))
