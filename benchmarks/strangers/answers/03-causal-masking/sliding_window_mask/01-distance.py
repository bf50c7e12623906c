def sliding_window_mask(seq_len, window):
    pos = torch.arange(seq_len)
    distance = pos[:, None] - pos[None, :]
    return (distance >= 0) & (distance < window)
