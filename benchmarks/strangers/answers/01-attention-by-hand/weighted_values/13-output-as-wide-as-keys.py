def weighted_values(weights, v):
    out = torch.zeros(weights.shape)
    for i in range(weights.shape[-2]):
        out[..., i, :] = (weights[..., i, :, None] * v).sum(dim=-2)
    return out
