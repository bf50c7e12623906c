def causal_attention(q, k, v):
    T, S = q.size(-2), k.size(-2)
    if T != S:
        raise ValueError("causal attention wants as many keys as queries, got q: %d, k: %d" % (T, S))
    att = (q @ k.transpose(-2, -1)) * (1.0 / math.sqrt(k.size(-1)))
    tril = torch.tril(torch.ones(T, T, device=q.device))
    att = att.masked_fill(tril == 0, float('-inf'))
    att = torch.softmax(att, dim=-1)
    y = att @ v
    return y, att
