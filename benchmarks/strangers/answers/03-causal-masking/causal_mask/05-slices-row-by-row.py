def causal_mask(seq_len, device = None):
    mask = torch.full((seq_len, seq_len), False, device=device)
    for i in range(seq_len):
        mask[i, : i + 1] = True   # i itself counts
    return mask
