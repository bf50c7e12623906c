def to_torch_mask(mask: torch.Tensor) -> torch.Tensor:
    """
    Convert an "allowed" mask into a "forbidden" mask.

    Args:
        mask (torch.Tensor): Boolean tensor where True means attention is allowed.

    Returns:
        torch.Tensor: Boolean tensor where True means attention is forbidden.
    """
    # Ensure that we have a boolean mask
    if mask.dtype != torch.bool:
        raise TypeError(f"Expected a boolean mask, got {mask.dtype}")
    # Invert the mask without modifying the original
    inverted_mask = torch.logical_not(mask.clone())
    return inverted_mask
