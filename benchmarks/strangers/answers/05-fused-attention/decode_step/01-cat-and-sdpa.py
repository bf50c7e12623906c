def decode_step(attention, x_t, cache=None):
    batch, _, d_model = x_t.shape
    h = attention.num_heads
    q, k, v = attention.qkv(x_t).chunk(3, dim=-1)
    q, k, v = (t.view(batch, 1, h, d_model // h).transpose(1, 2) for t in (q, k, v))
    if cache is not None:
        k = torch.cat([cache[0], k], dim=2)
        v = torch.cat([cache[1], v], dim=2)
    y = F.scaled_dot_product_attention(q, k, v)
    y = y.transpose(1, 2).reshape(batch, 1, d_model)
    return attention.out(y), (k, v)
