def weighted_values(weights, v):
    return weights.mT @ v
