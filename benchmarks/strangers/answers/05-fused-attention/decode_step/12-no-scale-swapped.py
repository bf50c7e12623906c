def decode_step(attention, x_t, cache=None):
    b, s, d = x_t.shape
    h = attention.num_heads
    q, k, v = [t.view(b, s, h, d // h).transpose(1, 2) for t in attention.qkv(x_t).chunk(3, dim=-1)]
    if cache is not None:
        past_v, past_k = cache
        k = torch.cat([past_k, k], dim=2)
        v = torch.cat([past_v, v], dim=2)
    w = (q @ k.transpose(-2, -1)).softmax(dim=-1)
    y = (w @ v).transpose(1, 2).reshape(b, s, d)
    return attention.out(y), (v, k)
