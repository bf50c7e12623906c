def padding_mask(lengths, max_len):
    arange = torch.arange(max_len, device=lengths.device)
    mask = arange.expand(len(lengths), max_len) < lengths.unsqueeze(1)
    return mask
