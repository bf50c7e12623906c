def causal_mask(
    seq_len: int, device: torch.device | str | None = None
) -> Bool[Tensor, "seq_len seq_len"]:
    """mask_ij = (j <= i)"""
    position = torch.arange(seq_len, device=device)
    i, j = position[:, None], position[None, :]
    return j <= i
