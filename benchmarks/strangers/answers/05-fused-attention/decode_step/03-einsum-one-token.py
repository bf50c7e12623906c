def decode_step(attention, x_t, cache=None):
    """x_t has one position, so I squeeze it away and put it back at the end."""
    x = x_t.squeeze(1)
    q, k, v = attention.qkv(x).unflatten(-1, (3, attention.num_heads, -1)).unbind(1)
    k, v = k.unsqueeze(2), v.unsqueeze(2)
    keys = k if cache is None else torch.cat([cache[0], k], 2)
    values = v if cache is None else torch.cat([cache[1], v], 2)
    scores = torch.einsum("bhd,bhtd->bht", q, keys) * q.size(-1) ** -0.5
    found = torch.einsum("bht,bhtd->bhd", scores.softmax(-1), values)
    return attention.out(found.flatten(1)).unsqueeze(1), (keys, values)
