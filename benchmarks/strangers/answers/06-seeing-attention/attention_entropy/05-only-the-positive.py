def attention_entropy(weights):
    positive = weights > 0
    picked = weights[positive]
    terms = torch.zeros_like(weights).masked_scatter(positive, -picked * picked.log())
    return terms.sum(-1)
