def attention_entropy(weights):
    w = weights.masked_fill(weights <= 0, 1.0)
    return -(weights * w.log()).sum(dim=-2)
