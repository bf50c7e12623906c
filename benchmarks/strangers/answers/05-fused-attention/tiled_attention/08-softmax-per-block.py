def tiled_attention(q, k, v, block_size, is_causal=False):
    blocks = k.shape[-2] // block_size
    outs = []
    for b in range(blocks):
        kb = k[..., b * block_size:(b + 1) * block_size, :]
        vb = v[..., b * block_size:(b + 1) * block_size, :]
        s = q @ kb.transpose(-2, -1) / math.sqrt(q.shape[-1])
        if is_causal:
            i = torch.arange(q.shape[-2])[:, None]
            j = torch.arange(b * block_size, (b + 1) * block_size)[None, :]
            s = s.masked_fill(j > i, float("-inf"))
        outs.append(torch.softmax(s, dim=-1) @ vb)
    return sum(outs) / len(outs)
