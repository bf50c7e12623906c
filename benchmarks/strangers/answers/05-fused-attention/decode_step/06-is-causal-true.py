def decode_step(attention, x_t, cache=None):
    b, s, d = x_t.shape
    q, k, v = attention.qkv(x_t).chunk(3, dim=-1)
    q, k, v = (t.view(b, s, attention.num_heads, -1).transpose(1, 2) for t in (q, k, v))
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    y = F.scaled_dot_product_attention(q, k, v, is_causal=True)
    return attention.out(y.transpose(1, 2).reshape(b, s, d)), (k, v)
