def sliding_window_mask(seq_len, window):
    i, j = torch.meshgrid(torch.arange(seq_len), torch.arange(seq_len), indexing="ij")
    return (j > i) | (j <= i - window)
