def causal_attention(q, k, v):
    if q.size(-2) != k.size(-2):
        raise ValueError("q and k must have the same length")
    T = q.size(-2)
    mask = torch.triu(torch.ones(T, T)).bool()
    att = (q @ k.transpose(-2, -1)) / math.sqrt(q.size(-1))
    att = att.masked_fill(~mask, -math.inf).softmax(-1)
    return att @ v, att
