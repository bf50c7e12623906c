def attention_weights(scores):
    scores = scores.float()
    e = torch.exp(scores - torch.max(scores))
    return e / e.sum(-1, keepdim=True)
