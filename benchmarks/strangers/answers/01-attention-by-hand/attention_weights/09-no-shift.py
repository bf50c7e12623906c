def attention_weights(scores):
    e = torch.exp(scores)
    return e / torch.sum(e, dim=-1, keepdim=True)
