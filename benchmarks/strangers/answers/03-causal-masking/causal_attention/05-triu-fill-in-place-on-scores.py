def causal_attention(Q, K, V):
    seq, d_k = K.shape[-2:]
    if Q.shape[-2] != seq:
        raise ValueError("got " + str(Q.shape[-2]) + " queries for " + str(seq) + " keys")
    S = torch.matmul(Q, K.swapaxes(-1, -2)).div(d_k ** 0.5)
    future = torch.ones(seq, seq, dtype=torch.bool, device=S.device).triu(1)
    S.masked_fill_(future, -math.inf)
    A = torch.softmax(S, dim=-1)
    return torch.matmul(A, V), A
