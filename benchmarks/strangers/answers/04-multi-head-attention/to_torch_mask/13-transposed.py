def to_torch_mask(mask):
    m = mask.clone().cpu()
    return m.transpose(-2, -1)
