def additive_mask(mask: Bool[Tensor, "..."], dtype: torch.dtype) -> Float[Tensor, "..."]:
    out = torch.where(mask, 0.0, float("-inf"))
    return out.to(dtype)
