def sliding_window_mask(seq_len, window):
    mask = torch.zeros(seq_len, seq_len, dtype=torch.bool)
    for i in range(seq_len):
        mask[i, i - window + 1 : i + 1] = True
    return mask
