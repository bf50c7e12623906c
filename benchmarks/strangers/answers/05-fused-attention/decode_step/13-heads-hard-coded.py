def decode_step(attention, x_t, cache=None):
    b, s, d = x_t.shape
    num_heads = 3
    q, k, v = attention.qkv(x_t).chunk(3, dim=-1)
    q = q.view(b, s, num_heads, d // num_heads).transpose(1, 2)
    k = k.view(b, s, num_heads, d // num_heads).transpose(1, 2)
    v = v.view(b, s, num_heads, d // num_heads).transpose(1, 2)
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    y = F.scaled_dot_product_attention(q, k, v)
    return attention.out(y.transpose(1, 2).reshape(b, s, d)), (k, v)
