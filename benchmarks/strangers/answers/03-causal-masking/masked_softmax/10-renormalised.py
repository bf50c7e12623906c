def masked_softmax(scores, mask, eps=1e-9):
    p = scores.softmax(-1) * mask
    return p / (p.sum(-1, keepdim=True) + eps)
