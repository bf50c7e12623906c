def scaled_scores(q, k):
    d = math.isqrt(q.shape[-1])
    return q @ k.T / d
