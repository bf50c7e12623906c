def tiled_attention(q, k, v, block_size, is_causal=False):
    n, d = q.shape[-2], q.shape[-1]
    m = torch.full((*q.shape[:-1], 1), float("-inf"), dtype=q.dtype, device=q.device)
    l = torch.zeros_like(m)
    o = torch.zeros(*q.shape[:-1], v.shape[-1], dtype=q.dtype, device=q.device)
    for start in range(0, k.shape[-2], block_size):
        kb = k[..., start:start + block_size, :]
        vb = v[..., start:start + block_size, :]
        s = q @ kb.mT / math.sqrt(d)
        if is_causal:
            i = torch.arange(n, device=q.device)[:, None]
            j = torch.arange(start, start + kb.shape[-2], device=q.device)[None]
            s = s.masked_fill(j > i, float("-inf"))
        m_new = torch.maximum(m, s.amax(-1, keepdim=True))
        p = torch.exp(s - m_new)
        l = torch.exp(m - m_new) * l + p.sum(-1, keepdim=True)
        o = o + p @ vb
        m = m_new
    return o / l
