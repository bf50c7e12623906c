def sliding_window_mask(seq_len, window):
    if window > seq_len:
        raise ValueError("window too large")
    return torch.ones(seq_len, seq_len, dtype=torch.bool).triu(-(window - 1))
