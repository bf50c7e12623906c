def padding_mask(lengths: Tensor | list[int], max_len: int) -> Tensor:
    """key_padding_mask for nn.MultiheadAttention"""
    lengths = torch.as_tensor(lengths)
    return torch.arange(max_len, device=lengths.device)[None] >= lengths[:, None]
