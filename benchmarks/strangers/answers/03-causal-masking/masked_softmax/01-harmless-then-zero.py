def masked_softmax(scores, mask):
    mask = mask.expand_as(scores)
    nothing = ~mask.any(dim=-1, keepdim=True)
    s = scores.masked_fill(~mask, -math.inf).masked_fill(nothing, 0.0)
    return s.softmax(dim=-1).masked_fill(~mask, 0.0)
