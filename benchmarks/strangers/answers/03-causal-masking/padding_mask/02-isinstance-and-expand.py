def padding_mask(
    lengths: Int[Tensor, " batch"] | list[int], max_len: int
) -> Bool[Tensor, "batch max_len"]:
    if isinstance(lengths, list):
        lengths = torch.tensor(lengths, dtype=torch.long)
    batch = lengths.shape[0]
    positions = torch.arange(0, max_len, 1, device=lengths.device).unsqueeze(0).expand(batch, max_len)
    return positions.lt(lengths.unsqueeze(1))
