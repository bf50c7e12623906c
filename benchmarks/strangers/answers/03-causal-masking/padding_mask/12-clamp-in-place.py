def padding_mask(lengths, max_len):
    lengths = torch.as_tensor(lengths)
    lengths.clamp_(max=max_len)  # A length above max_len counts as max_len
    return torch.arange(max_len, device=lengths.device)[None, :] < lengths[:, None]
