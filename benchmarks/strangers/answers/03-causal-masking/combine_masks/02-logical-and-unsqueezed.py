def combine_masks(
    causal: Bool[Tensor, "seq_len seq_len"], padding: Bool[Tensor, "batch seq_len"]
) -> Bool[Tensor, "batch 1 seq_len seq_len"]:
    key_mask = padding.unsqueeze(1).unsqueeze(2)   # batch, 1, 1, seq
    return torch.logical_and(causal.unsqueeze(0).unsqueeze(0), key_mask)
