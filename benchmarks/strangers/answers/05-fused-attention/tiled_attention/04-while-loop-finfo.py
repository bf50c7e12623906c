def tiled_attention(q, k, v, block_size, is_causal=False):
    low = torch.finfo(q.dtype).min
    ones = torch.ones_like(v[..., :1])
    v1 = torch.cat([v, ones], dim=-1)  # the last column adds up the exponentials
    m = torch.full_like(q[..., :1], low)
    acc = torch.zeros(*q.shape[:-1], v1.shape[-1], dtype=q.dtype, device=q.device)
    row = torch.arange(q.shape[-2], device=q.device).unsqueeze(-1)
    j = 0
    while j < k.shape[-2]:
        kj = k[..., j : j + block_size, :]
        sj = torch.matmul(q, kj.transpose(-1, -2)) / math.sqrt(q.shape[-1])
        if is_causal:
            col = torch.arange(j, j + kj.shape[-2], device=q.device)
            sj = sj.masked_fill(col > row, low)
        m2 = torch.max(m, sj.max(dim=-1, keepdim=True)[0])
        acc = acc * (m - m2).exp() + (sj - m2).exp() @ v1[..., j : j + block_size, :]
        m = m2
        j += block_size
    return acc[..., :-1] / acc[..., -1:]
