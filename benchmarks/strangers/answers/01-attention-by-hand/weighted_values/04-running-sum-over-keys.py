def weighted_values(weights, v):
    keys = v.shape[-2]
    output = weights[..., :, 0:1] * v[..., 0:1, :]
    for j in range(1, keys):
        output = output + weights[..., :, j : j + 1] * v[..., j : j + 1, :]
    return output
