def attention_entropy(weights):
    terms = torch.where(weights > 0, -weights * torch.log(weights), torch.zeros_like(weights))
    return terms.sum(dim=1)
