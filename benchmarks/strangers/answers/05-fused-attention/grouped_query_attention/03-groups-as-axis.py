def grouped_query_attention(q, k, v, is_causal=False):
    heads, kv = q.size(-3), k.size(-3)
    if heads % kv:
        raise ValueError("heads %d, key_heads %d" % (heads, kv))
    grouped = q.unflatten(-3, (kv, heads // kv))
    s = grouped @ k.unsqueeze(-3).mT / q.size(-1) ** 0.5
    if is_causal:
        n = q.size(-2)
        s = s.masked_fill(~torch.ones(n, n, dtype=torch.bool, device=q.device).tril(), -torch.inf)
    return (s.softmax(-1) @ v.unsqueeze(-3)).flatten(-4, -3)
