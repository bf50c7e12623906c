def sliding_window_mask(seq_len, window):
    assert window <= seq_len
    i = torch.arange(seq_len)[:, None]
    j = torch.arange(seq_len)[None, :]
    return (i - window <= j) & (j < i)
