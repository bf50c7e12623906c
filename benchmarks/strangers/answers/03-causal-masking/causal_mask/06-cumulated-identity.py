def causal_mask(seq_len, device=None):
    return torch.eye(seq_len, device=device).cumsum(dim=-1).T.bool()
