def scaled_scores(q, k):
    root = q.shape[-1] ** 0.5
    q /= root
    k /= root
    return q @ k.transpose(-2, -1)
