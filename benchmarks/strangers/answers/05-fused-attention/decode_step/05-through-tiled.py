def decode_step(attention, x_t, cache=None):
    q, k, v = torch.tensor_split(attention.qkv(x_t), 3, dim=2)
    split = lambda t: torch.stack(t.chunk(attention.num_heads, dim=-1), dim=1)
    q, k, v = split(q), split(k), split(v)
    if cache is None:
        cache = (k[:, :, :0], v[:, :, :0])  # empty, no steps yet
    k = torch.cat([cache[0], k], dim=2)
    v = torch.cat([cache[1], v], dim=2)
    heads = tiled_attention(q, k, v, 64)
    return attention.out(torch.cat(heads.unbind(1), dim=-1)), (k, v)
