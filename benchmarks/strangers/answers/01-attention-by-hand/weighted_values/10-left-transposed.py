def weighted_values(weights, v):
    out = v.transpose(-2, -1) @ weights.transpose(-2, -1)
    return out.squeeze()
