def padding_mask(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    positions = torch.arange(max_len, device=lengths.device)
    return positions[None, :] <= lengths[:, None]
