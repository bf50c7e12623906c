def tiled_attention(q, k, v, block_size, is_causal=False):
    def scores_of(block, start):
        s = q @ block.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if is_causal:
            i = torch.arange(s.shape[-2], device=s.device).view(-1, 1)
            j = torch.arange(s.shape[-1], device=s.device).view(1, -1) + start
            s = s.masked_fill(i < j, -math.inf)
        return s

    starts = range(0, k.shape[-2], block_size)
    m = torch.full(q.shape[:-1] + (1,), -math.inf, dtype=q.dtype, device=q.device)
    l = torch.zeros_like(m)
    for a in starts:
        s = scores_of(k[..., a : a + block_size, :], a)
        new_m = torch.maximum(m, s.max(-1, keepdim=True).values)
        l = l * (m - new_m).exp() + (s - new_m).exp().sum(-1, keepdim=True)
        m = new_m
    o = 0
    for a in starts:
        s = scores_of(k[..., a : a + block_size, :], a)
        o = o + ((s - m).exp() / l) @ v[..., a : a + block_size, :]
    return o
