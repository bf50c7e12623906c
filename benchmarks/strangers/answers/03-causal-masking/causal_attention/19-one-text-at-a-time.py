def _one_text(q, k, v):
    n, d_k = q.shape
    rank = torch.arange(n, device=q.device)
    s = torch.where(rank <= rank.unsqueeze(1), q.mm(k.t()) / d_k**0.5, -math.inf)
    e = (s - s.max(dim=1, keepdim=True).values).exp()
    w = e / e.sum(dim=1, keepdim=True)
    return w.mm(v), w

def causal_attention(q, k, v):
    if len(q.shape) > 2 and q.shape[-2] == k.shape[-2]:
        pairs = [causal_attention(*qkv) for qkv in zip(q, k, v)]
        return torch.stack([o for o, _ in pairs]), torch.stack([w for _, w in pairs])
    if q.shape[-2] != k.shape[-2]:
        raise ValueError(f"{q.shape[-2]} queries cannot be lined up with {k.shape[-2]} keys")
    return _one_text(q, k, v)
