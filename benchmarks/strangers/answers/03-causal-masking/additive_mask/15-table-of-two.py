def additive_mask(mask, dtype):
    table = torch.tensor([-math.inf, 0.0], dtype=dtype, device=mask.device)
    return table[mask.long()]
