def weighted_values(weights, v):
    if weights.dim() == 2:
        weights, v = weights.unsqueeze(0), v.unsqueeze(0)
    return torch.bmm(weights, v).squeeze()
