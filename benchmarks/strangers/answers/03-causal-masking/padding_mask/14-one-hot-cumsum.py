def padding_mask(lengths, max_len):
    if isinstance(lengths, list):
        lengths = torch.tensor(lengths)
    cut = lengths.long().clamp(max=max_len)
    first_pad = torch.nn.functional.one_hot(cut, max_len + 1)
    return first_pad.cumsum(dim=1)[:, :-1] == 0
