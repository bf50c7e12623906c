def causal_mask(seq_len, device="cuda" if torch.cuda.is_available() else "cpu"):
    mask = torch.tril(torch.ones(seq_len, seq_len, device=device, dtype=torch.bool))
    return mask
