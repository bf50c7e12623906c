def causal_attention(q, k, v):
    n = q.shape[-2]
    if k.shape[-2] != n:
        raise ValueError(f"need as many keys as queries: {k.shape[-2]} vs. {n}")
    s = torch.where(causal_mask(n, q.device), q @ k.mT / math.sqrt(q.shape[-1]), -math.inf)
    w = s.softmax(dim=-2)
    return w @ v, w
