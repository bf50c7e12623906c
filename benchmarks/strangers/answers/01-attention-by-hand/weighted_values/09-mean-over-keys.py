def weighted_values(weights, v):
    """average of the values"""
    return (weights[..., None] * v[..., None, :, :]).mean(dim=-2)
