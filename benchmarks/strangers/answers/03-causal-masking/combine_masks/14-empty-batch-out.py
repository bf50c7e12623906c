def combine_masks(causal, padding):
    B, T = padding.shape
    out = torch.zeros(B, 1, T, T, dtype=torch.bool)
    out[:] = causal & padding.view(B, 1, 1, T)
    return out.squeeze(0)
