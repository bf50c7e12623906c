def decode_step(attention, x_t, cache=None):
    b, s, d = x_t.shape
    q, k, v = [t.view(b, s, attention.num_heads, -1).transpose(1, 2) for t in attention.qkv(x_t).chunk(3, -1)]
    keys, values = k, v
    if cache is not None:
        keys = torch.cat([cache[0], k], dim=2)
        values = torch.cat([cache[1], v], dim=2)
    y = F.scaled_dot_product_attention(q, keys, values).transpose(1, 2).reshape(b, s, d)
    return attention.out(y), (k, v)
