def attention_entropy(weights):
    terms = weights * torch.log(weights)
    return -torch.nan_to_num(terms, nan=0.0).sum(dim=-1)
