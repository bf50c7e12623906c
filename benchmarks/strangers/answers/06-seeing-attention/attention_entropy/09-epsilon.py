def attention_entropy(weights, eps=1e-12):
    # eps avoids log(0)
    return -torch.sum(weights * torch.log(weights + eps), dim=-1)
