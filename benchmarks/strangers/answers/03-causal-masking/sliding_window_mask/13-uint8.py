def sliding_window_mask(seq_len, window):
    ones = torch.ones(seq_len, seq_len, dtype=torch.uint8)
    return torch.tril(ones) - torch.tril(ones, -window)
