def padding_mask(lengths, max_len):
    if not torch.is_tensor(lengths):
        lengths = torch.tensor(lengths)
    # row n of the table has n times True
    table = torch.ones(max_len + 1, max_len, dtype=torch.bool, device=lengths.device).tril(-1)
    return table[lengths.long().clamp(max=max_len)]
