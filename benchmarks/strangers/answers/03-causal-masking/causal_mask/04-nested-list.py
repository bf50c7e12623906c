def causal_mask(seq_len, device=None):
    rows = [[j <= i for j in range(seq_len)] for i in range(seq_len)]
    return torch.tensor(rows, device=device)
