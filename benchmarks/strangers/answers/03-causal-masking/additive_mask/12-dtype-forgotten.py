def additive_mask(mask, dtype):
    float_mask = torch.zeros(mask.size(), device=mask.device)
    return float_mask.masked_fill(mask.logical_not(), -math.inf)
