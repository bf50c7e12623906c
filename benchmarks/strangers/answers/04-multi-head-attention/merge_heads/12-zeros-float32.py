def merge_heads(x):
    B, H, S, D = x.shape
    out = torch.zeros(B, S, H * D)
    for h in range(H):
        out[:, :, h * D:(h + 1) * D] = x[:, h]
    return out
