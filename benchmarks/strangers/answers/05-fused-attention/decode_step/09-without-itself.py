def decode_step(attention, x_t, cache=None):
    b, _, d = x_t.shape
    q, k, v = [t.view(b, 1, attention.num_heads, -1).transpose(1, 2) for t in attention.qkv(x_t).chunk(3, -1)]
    if cache is None:
        y = v
        new_cache = (k, v)
    else:
        y = F.scaled_dot_product_attention(q, cache[0], cache[1])
        new_cache = (torch.cat([cache[0], k], 2), torch.cat([cache[1], v], 2))
    return y.transpose(1, 2).reshape(b, 1, d), new_cache
