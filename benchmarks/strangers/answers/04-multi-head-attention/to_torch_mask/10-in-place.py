def to_torch_mask(mask):
    mask.logical_not_()
    return mask
