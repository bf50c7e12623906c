def causal_attention(q, k, v):
    L, S = q.size(-2), k.size(-2)
    assert L == S, f"{L} queries and {S} keys"
    scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(q.size(-1))
    scores = scores.masked_fill(causal_mask(L, q.device) == 0, -1e9)
    p = torch.softmax(scores, dim=-1)
    return torch.matmul(p, v), p
