def weighted_values(weights, v):
    w = weights.unsqueeze(-1)      # ..., queries, keys, 1
    values = v.unsqueeze(-3)       # ..., 1, keys, d_v
    return torch.sum(w * values, dim=-2)
