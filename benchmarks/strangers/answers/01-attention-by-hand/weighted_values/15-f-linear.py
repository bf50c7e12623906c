def weighted_values(weights, v):
    return torch.nn.functional.linear(weights, v.mT)
