def padding_mask(lengths, max_len):
    if isinstance(lengths, list):
        lengths = torch.tensor(lengths)
    positions = torch.arange(max_len, dtype=lengths.dtype, device=lengths.device)
    return positions < lengths[:, None]
