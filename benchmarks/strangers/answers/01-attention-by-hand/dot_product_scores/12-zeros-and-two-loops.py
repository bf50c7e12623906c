def dot_product_scores(q, k):
    n, m = q.shape[-2], k.shape[-2]
    scores = torch.zeros(*q.shape[:-2], n, m)
    for i in range(n):
        for j in range(m):
            # dot product of query i and key j
            scores[..., i, j] = (q[..., i, :] * k[..., j, :]).sum(-1)
    return scores
