def sliding_window_mask(seq_len, window):
    block = torch.arange(seq_len) // window
    return (block[:, None] == block[None, :]) & causal_mask(seq_len)
