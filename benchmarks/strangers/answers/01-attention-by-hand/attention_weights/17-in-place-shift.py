def attention_weights(scores):
    scores -= scores.amax(dim=-1, keepdim=True)
    e = scores.exp()
    return e / e.sum(dim=-1, keepdim=True)
