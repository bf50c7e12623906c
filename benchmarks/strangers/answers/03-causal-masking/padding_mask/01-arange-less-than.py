def padding_mask(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    return torch.arange(max_len, device=lengths.device) < lengths[:, None]
