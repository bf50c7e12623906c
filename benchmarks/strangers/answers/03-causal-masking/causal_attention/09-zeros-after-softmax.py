def causal_attention(q, k, v):
    if q.shape[-2] != k.shape[-2]:
        raise ValueError(f"queries: {q.shape[-2]}, keys: {k.shape[-2]}")
    weights = torch.softmax(q @ k.mT / math.sqrt(q.shape[-1]), dim=-1)
    weights = weights.tril()
    return weights @ v, weights
