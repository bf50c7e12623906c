def causal_attention(q, k, v):
    n, m = q.shape[-2], k.shape[-2]
    if n != m:
        raise ValueError(f"not as many keys as queries: {m} keys, {n} queries")
    M = additive_mask(causal_mask(n, q.device), q.dtype)
    weights = torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]) + M, dim=-1)
    return weights @ v, weights
