def scaled_scores(q, k):
    d_k = q.shape[-1]
    scores = torch.matmul(q, k.swapaxes(-1, -2)) / np.sqrt(d_k)
    return scores
