def decode_step(attention, x_t, cache=None):
    b, s, d = x_t.shape
    h = attention.num_heads
    q, k, v = [t.view(b, s, h, d // h).transpose(1, 2) for t in attention.qkv(x_t).chunk(3, dim=-1)]
    if cache is not None:
        old_k, old_v = cache
        # shift the new step in, so that no second tensor has to be kept
        old_k.data = torch.cat([old_k.data, k], dim=2)
        old_v.data = torch.cat([old_v.data, v], dim=2)
        k, v = old_k, old_v
    y = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(b, s, d)
    return attention.out(y), (k, v)
