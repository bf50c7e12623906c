def tiled_attention(q, k, v, block_size, is_causal=False):
    m = torch.full(q.shape[:-1] + (1,), -1e4)
    l = torch.zeros(q.shape[:-1] + (1,))
    o = torch.zeros(q.shape[:-1] + (v.shape[-1],))
    first = True
    for start in range(0, k.shape[-2], block_size):
        s = q @ k[..., start:start + block_size, :].mT / math.sqrt(q.shape[-1])
        if is_causal:
            i = torch.arange(q.shape[-2])[:, None]
            j = torch.arange(start, start + s.shape[-1])[None]
            s = s.masked_fill(j > i, float("-inf"))
        m_new = torch.maximum(m, s.amax(-1, keepdim=True))
        scale = torch.zeros_like(m) if first else torch.exp(m_new - m)
        first = False
        p = torch.exp(s - m_new)
        l = scale * l + p.sum(-1, keepdim=True)
        o = scale * o + p @ v[..., start:start + block_size, :]
        m = m_new
    return o / l
