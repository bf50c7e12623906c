def weighted_values(weights, v):
    # each query takes the value of the key it attends to the most
    best = weights.argmax(dim=-1)
    idx = best.unsqueeze(-1).expand(*best.shape, v.shape[-1])
    return torch.gather(v, -2, idx)
