def sliding_window_mask(seq_len, window):
    return torch.ones(seq_len, seq_len, dtype=torch.bool).tril().triu(1 - window)
