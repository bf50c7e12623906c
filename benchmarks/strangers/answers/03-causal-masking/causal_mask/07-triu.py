def causal_mask(seq_len, device=None):
    return torch.triu(torch.ones(seq_len, seq_len, device=device)).bool()
