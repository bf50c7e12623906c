def combine_masks(causal, padding):
    batch, seq = padding.shape
    return causal.reshape(1, 1, seq, seq) * padding.reshape(-1, 1, 1, seq)
