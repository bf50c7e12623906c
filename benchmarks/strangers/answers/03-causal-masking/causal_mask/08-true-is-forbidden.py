def causal_mask(seq_len: int, device=None) -> Tensor:
    # True = masked, like in nn.Transformer
    return torch.ones((seq_len, seq_len), dtype=torch.bool, device=device).triu(diagonal=1)
