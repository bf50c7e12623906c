def to_torch_mask(mask):
    m = mask.int()
    return (1 - m).bool()
