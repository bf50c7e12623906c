def tiled_attention(q, k, v, block_size, is_causal=False):
    *lead, queries, d_k = q.shape
    scale = 1 / math.sqrt(d_k)
    m = q.new_full((*lead, queries, 1), float("-inf"))
    l = q.new_zeros((*lead, queries, 1))
    o = q.new_zeros((*lead, queries, v.shape[-1]))
    start = 0
    for kb, vb in zip(k.split(block_size, dim=-2), v.split(block_size, dim=-2)):
        s = q @ kb.transpose(-2, -1) * scale
        if is_causal:
            i = torch.arange(queries, device=q.device)[:, None]
            j = start + torch.arange(kb.shape[-2], device=q.device)[None, :]
            s = s.masked_fill(j > i, float("-inf"))
        m_new = torch.maximum(m, s.amax(dim=-1, keepdim=True))
        factor = torch.exp(m - m_new)
        p = torch.exp(s - m_new)
        l = factor * l + p.sum(dim=-1, keepdim=True)
        o = factor * o + p @ vb
        m = m_new
        start += kb.shape[-2]
    return o / l
