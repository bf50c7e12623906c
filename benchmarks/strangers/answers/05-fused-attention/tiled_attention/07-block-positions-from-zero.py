def tiled_attention(q, k, v, block_size, is_causal=False):
    shape = q.shape[:-1] + (1,)
    m = q.new_full(shape, float("-inf"))
    l = q.new_zeros(shape)
    o = q.new_zeros(q.shape[:-1] + (v.shape[-1],))
    for start in range(0, k.shape[-2], block_size):
        end = min(start + block_size, k.shape[-2])
        s = q @ k[..., start:end, :].mT / math.sqrt(q.shape[-1])
        if is_causal:
            tril = torch.ones(s.shape[-2:], dtype=torch.bool, device=q.device).tril()
            s = s.masked_fill(~tril, float("-inf"))
        m_new = torch.maximum(m, s.amax(-1, keepdim=True))
        alpha = torch.exp(m - m_new)
        p = torch.exp(s - m_new)
        l = alpha * l + p.sum(-1, keepdim=True)
        o = alpha * o + p @ v[..., start:end, :]
        m = m_new
    return o / l
