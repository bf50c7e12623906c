def tiled_attention(q, k, v, block_size, is_causal=False):
    q /= math.sqrt(q.shape[-1])
    m = torch.full(q.shape[:-1], float("-inf"))
    l = torch.zeros(q.shape[:-1])
    o = torch.zeros(q.shape)
    for start in range(0, k.shape[-2], block_size):
        kb, vb = k[..., start:start + block_size, :], v[..., start:start + block_size, :]
        s = q @ kb.transpose(-2, -1)
        if is_causal:
            i = torch.arange(q.shape[-2])[:, None]
            j = torch.arange(start, start + kb.shape[-2])[None, :]
            s = s.masked_fill(j > i, float("-inf"))
        m_new = torch.maximum(m, s.max(-1).values)
        f = torch.exp(m - m_new)
        p = torch.exp(s - m_new[..., None])
        l = f * l + p.sum(-1)
        o = f[..., None] * o + p @ vb
        m = m_new
    return o / l[..., None]
