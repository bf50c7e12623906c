def sliding_window_mask(seq_len, window):
    total = torch.zeros(seq_len, seq_len)
    for back in range(min(window, seq_len)):
        total = total + torch.diag(torch.ones(seq_len - back), -back)
    return total > 0
