def sliding_window_mask(seq_len, window):
    m = torch.ones(seq_len, seq_len)
    return torch.tril(torch.triu(m), window - 1)
