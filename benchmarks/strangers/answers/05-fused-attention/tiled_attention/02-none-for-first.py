def tiled_attention(q, k, v, block_size, is_causal=False):
    dtype = q.dtype
    work = torch.promote_types(dtype, torch.float32)
    q, k, v = q.to(work), k.to(work), v.to(work)
    n_q, n_k = q.size(-2), k.size(-2)
    m = None
    for lo in range(0, n_k, block_size):
        hi = min(lo + block_size, n_k)
        s = torch.einsum("...qd,...kd->...qk", q, k[..., lo:hi, :]) / q.size(-1) ** 0.5
        if is_causal:
            # query i sees keys 0..i; key j of this block stands at lo + j
            allowed = torch.ones(n_q, hi - lo, dtype=torch.bool, device=q.device).tril(diagonal=-lo)
            s = s.masked_fill(~allowed, -torch.inf)
        block_max = s.max(dim=-1).values
        if m is None:
            m = block_max
            p = torch.exp(s - m[..., None])
            l = p.sum(-1)
            o = p @ v[..., lo:hi, :]
        else:
            new = torch.maximum(m, block_max)
            c = torch.exp(m - new)
            p = torch.exp(s - new[..., None])
            l = l * c + p.sum(-1)
            o = o * c[..., None] + p @ v[..., lo:hi, :]
            m = new
    return (o / l[..., None]).to(dtype)
