def padding_mask(lengths, max_len):
    if isinstance(lengths, Tensor):
        lengths = lengths.tolist()
    rows = [[True] * n + [False] * (max_len - n) for n in lengths]
    return torch.tensor(rows)
