def combine_masks(causal, padding, num_heads=8):
    B, T = padding.shape
    mask = causal.repeat(B, num_heads, 1, 1)
    for b in range(B):
        for j in range(T):
            if not padding[b, j]:
                mask[b, :, :, j] = False
    return mask
