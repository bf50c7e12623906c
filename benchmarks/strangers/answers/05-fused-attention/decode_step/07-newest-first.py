def decode_step(attention, x_t, cache=None):
    b, s, d = x_t.shape
    q, k, v = attention.qkv(x_t).split(d, dim=2)
    q = q.view(b, s, attention.num_heads, -1).transpose(1, 2)
    k = k.view(b, s, attention.num_heads, -1).transpose(1, 2)
    v = v.view(b, s, attention.num_heads, -1).transpose(1, 2)
    if cache is not None:
        k = torch.cat([k, cache[0]], dim=-2)
        v = torch.cat([v, cache[1]], dim=-2)
    y = F.scaled_dot_product_attention(q, k, v)
    return attention.out(y.transpose(1, 2).reshape(b, s, d)), (k, v)
