def additive_mask(mask: Tensor, dtype: torch.dtype) -> Tensor:
    m = mask.to(dtype)
    m[m == 0] = float('-inf')
    return m
