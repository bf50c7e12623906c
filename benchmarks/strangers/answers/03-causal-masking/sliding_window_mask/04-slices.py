def sliding_window_mask(seq_len, window, verbose=False):
    mask = torch.zeros((seq_len, seq_len), dtype=torch.bool)
    for i in range(seq_len):
        start = max(0, i - window + 1)
        mask[i, start:i + 1] = True
        if verbose:
            print(i, mask[i].int().tolist())
    return mask
