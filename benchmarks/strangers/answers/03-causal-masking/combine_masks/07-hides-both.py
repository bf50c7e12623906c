def combine_masks(causal, padding):
    pad_2d = padding.unsqueeze(1) & padding.unsqueeze(2)   # (batch, seq, seq)
    return (causal & pad_2d).unsqueeze(1)
