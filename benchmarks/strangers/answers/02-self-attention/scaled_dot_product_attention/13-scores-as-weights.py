def scaled_dot_product_attention(q, k, v, mask=None):
    scores = (q @ k.mT) / math.sqrt(q.shape[-1])
    if mask is not None:
        mask.logical_not_()
        scores.masked_fill_(mask, -torch.inf)
    return torch.softmax(scores, dim=-1) @ v, scores
