def padding_mask(lengths, max_len):
    n = lengths if isinstance(lengths, Tensor) else torch.tensor(lengths)
    n = n.reshape(-1, 1)
    count = torch.ones(n.shape[0], max_len, dtype=torch.long, device=n.device).cumsum(1)
    return count <= n        # the count starts at 1, so <= is right
