def sliding_window_mask(seq_len, window):
    mask = torch.zeros(seq_len, seq_len, dtype=torch.bool)
    for j in range(window):
        mask[j:, j] = True
    return mask
