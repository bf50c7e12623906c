def to_torch_mask(mask):
    return mask == False  # noqa: E712
