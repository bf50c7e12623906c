def causal_mask(seq_len, device=None):
    mask = torch.tril(torch.ones(seq_len, seq_len, device=device), diagonal=1)
    return mask.view(1, 1, seq_len, seq_len)
