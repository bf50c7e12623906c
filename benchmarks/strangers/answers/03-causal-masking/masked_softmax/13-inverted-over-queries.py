def masked_softmax(scores, mask):
    scores[mask] = -math.inf
    w = scores.softmax(dim=-1)
    return w.nan_to_num(0)
