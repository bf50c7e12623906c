def causal_attention(q, k, v):
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    mask = causal_mask(q.shape[-2], device=q.device)
    scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ v, weights
