def tiled_attention(q, k, v, block_size, is_causal=False):
    nq, nk = q.shape[-2], k.shape[-2]
    mask = torch.ones(nq, nk, dtype=torch.bool, device=q.device)
    if is_causal:
        mask = mask.tril()
    m = q.new_full((nq, 1), -math.inf)
    l = q.new_zeros(nq, 1)
    o = q.new_zeros(nq, v.shape[-1])
    for a in range(0, nk, block_size):
        s = q @ k[a:a + block_size].T / math.sqrt(q.shape[-1])
        s = torch.where(mask[:, a:a + block_size], s, -math.inf)
        m2 = torch.maximum(m, s.amax(dim=1, keepdim=True))
        c, p = torch.exp(m - m2), torch.exp(s - m2)
        l, o, m = c * l + p.sum(1, keepdim=True), c * o + p @ v[a:a + block_size], m2
    return o / l
