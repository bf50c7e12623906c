def tiled_attention(q, k, v, block_size, is_causal=False):
    n_blocks = k.shape[-2] // block_size
    l = q.new_zeros(q.shape[:-1] + (1,))
    o = q.new_zeros(q.shape[:-1] + (v.shape[-1],))
    for b in range(n_blocks):
        lo, hi = b * block_size, (b + 1) * block_size
        s = q @ k[..., lo:hi, :].mT / math.sqrt(q.shape[-1])
        e = torch.exp(s)
        if is_causal:
            i = torch.arange(q.shape[-2], device=q.device)[:, None]
            e = e * (torch.arange(lo, hi, device=q.device) <= i)
        l = l + e.sum(-1, keepdim=True)
        o = o + e @ v[..., lo:hi, :]
    return o / l
