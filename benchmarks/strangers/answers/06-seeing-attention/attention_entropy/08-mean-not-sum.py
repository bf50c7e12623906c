def attention_entropy(weights):
    return -(weights * torch.log(weights + 1e-12)).mean(dim=-1)
