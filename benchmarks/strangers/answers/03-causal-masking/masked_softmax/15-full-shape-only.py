def masked_softmax(scores, mask):
    s = scores.clone()
    s[~mask] = float("-inf")
    empty = (~mask).all(-1)
    s[empty] = 0.0
    w = torch.softmax(s, dim=-1, dtype=torch.float32)
    out = w.clone()
    out[~mask] = 0.0
    return out
