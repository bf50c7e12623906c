def to_torch_mask(mask):
    return (1 - mask) == 1
