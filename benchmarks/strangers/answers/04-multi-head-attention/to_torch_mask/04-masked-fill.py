def to_torch_mask(mask):
    forbidden = torch.ones_like(mask)
    forbidden = forbidden.masked_fill(mask, False)
    return forbidden
