def causal_attention(q, k, v):
    if k.shape[-2] != q.shape[-2]:
        raise ValueError(f"expected {q.shape[-2]} keys, got {k.shape[-2]}")
    weights = masked_softmax(q @ k.mT, causal_mask(k.shape[-2], k.device))
    return weights @ v, weights
