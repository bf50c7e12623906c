def tiled_attention(q, k, v, block_size, is_causal=False):
    scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(q.size(-1))
    if is_causal:
        n = q.size(-2)
        scores = scores.masked_fill(torch.ones(n, n, device=q.device).triu(1).bool(), float("-inf"))
    m = torch.full_like(scores[..., :1], float("-inf"))
    l = torch.zeros_like(m)
    o = torch.zeros(q.shape[:-1] + v.shape[-1:], dtype=q.dtype, device=q.device)
    for s, vb in zip(scores.split(block_size, dim=-1), v.split(block_size, dim=-2)):
        m_new = torch.maximum(m, s.max(dim=-1, keepdim=True)[0])
        p = torch.exp(s - m_new)
        l = torch.exp(m - m_new) * l + p.sum(dim=-1, keepdim=True)
        o = torch.exp(m - m_new) * o + p @ vb
        m = m_new
    return o / l
