def causal_attention(q, k, v):
    if q.shape != k.shape or k.shape != v.shape:
        raise ValueError(f"shapes differ: {tuple(q.shape)}, {tuple(k.shape)}, {tuple(v.shape)}")
    scores = q @ k.mT / math.sqrt(q.shape[-1])
    weights = masked_softmax(scores, causal_mask(q.shape[-2], q.device))
    return weights @ v, weights
