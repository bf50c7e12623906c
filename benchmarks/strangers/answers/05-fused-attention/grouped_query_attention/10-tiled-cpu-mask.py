def grouped_query_attention(q, k, v, is_causal=False):
    assert q.shape[-3] % k.shape[-3] == 0
    g = q.shape[-3] // k.shape[-3]
    reps = [1] * (k.dim() - 3) + [g, 1, 1]
    k, v = k.repeat(reps), v.repeat(reps)
    s = q @ k.mT / math.sqrt(q.shape[-1])
    if is_causal:
        n = q.shape[-2]
        s = s + torch.triu(torch.full((n, n), float("-inf")), 1)
    w = F.softmax(s, dim=-1)
    return (w @ v.to(w.dtype))
