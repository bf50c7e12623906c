def decode_step(attention, x_t, cache=None):
    b, s, d = x_t.shape
    q, k, v = attention.qkv(x_t).chunk(3, dim=-1)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=1)
        v = torch.cat([cache[1], v], dim=1)
    heads = lambda t: t.view(b, -1, attention.num_heads, d // attention.num_heads).transpose(1, 2)
    y = F.scaled_dot_product_attention(heads(q), heads(k), heads(v))
    y = y.transpose(1, 2).contiguous().view(b, s, d)
    return attention.out(y), [k, v]
