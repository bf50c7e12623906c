def sliding_window_mask(seq_len: int, window: int) -> Bool[Tensor, "seq_len seq_len"]:
    seen = causal_mask(seq_len)
    too_old = seen.tril(-window)
    return seen ^ too_old
