def causal_attention(q, k, v):
    if q.shape[-2] != k.shape[-2]:
        raise ValueError(f"{q.shape[-2]} queries, but {k.shape[-2]} keys")
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    weights = masked_softmax(scores, causal_mask(q.shape[-2], q.device))
    return weights @ v, weights
