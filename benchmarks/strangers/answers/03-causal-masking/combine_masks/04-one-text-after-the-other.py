def combine_masks(causal, padding):
    masks = []
    for real in padding:
        masks.append(causal & real)     # (seq, seq) & (seq,): the same for every query
    return torch.stack(masks).unsqueeze(1)
