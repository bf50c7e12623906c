def sliding_window_mask(seq_len, window):
    causal = torch.eye(seq_len).cumsum(0)           # row i: ones up to i
    late = torch.zeros_like(causal)
    if window < seq_len:
        late[window:] = causal[:-window]
    return (causal - late).bool()
