def causal_mask(seq_len, device=None):
    idx = torch.arange(seq_len, device=device)
    return idx.unsqueeze(0) < idx.unsqueeze(1)
