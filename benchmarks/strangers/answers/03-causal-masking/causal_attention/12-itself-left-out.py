def causal_attention(q, k, v):
    seq = q.shape[1]
    scores = torch.bmm(q, k.transpose(1, 2)) / math.sqrt(q.shape[2])
    mask = torch.tril(torch.ones(seq, seq, dtype=torch.bool, device=q.device), diagonal=-1)
    weights = masked_softmax(scores, mask)
    return torch.bmm(weights, v), weights
