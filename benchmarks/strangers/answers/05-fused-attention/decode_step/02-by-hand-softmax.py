def decode_step(attention, x_t, cache=None):
    n_head = attention.num_heads
    B, T, C = x_t.size()
    qkv = attention.qkv(x_t).view(B, T, 3, n_head, C // n_head)
    q = qkv[:, :, 0].transpose(1, 2)
    new_k = qkv[:, :, 1].transpose(1, 2)
    new_v = qkv[:, :, 2].transpose(1, 2)
    if cache is None:
        keys, values = new_k, new_v
    else:
        past_k, past_v = cache
        keys = torch.cat((past_k, new_k), dim=-2)
        values = torch.cat((past_v, new_v), dim=-2)
    att = (q @ keys.transpose(-2, -1)) / math.sqrt(q.shape[-1])
    att = torch.softmax(att, dim=-1)
    y = (att @ values).transpose(1, 2).flatten(2)
    return attention.out(y), (keys, values)
