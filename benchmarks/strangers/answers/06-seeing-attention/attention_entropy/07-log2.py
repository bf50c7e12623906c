def attention_entropy(weights):
    safe = torch.where(weights == 0, torch.ones_like(weights), weights)
    return -(weights * torch.log2(safe)).sum(dim=-1)
