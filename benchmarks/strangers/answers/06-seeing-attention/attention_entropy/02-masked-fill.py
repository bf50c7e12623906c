def attention_entropy(weights):
    logs = torch.log(weights.masked_fill(weights == 0, 1.0))
    return -torch.einsum("...k,...k->...", weights, logs)
