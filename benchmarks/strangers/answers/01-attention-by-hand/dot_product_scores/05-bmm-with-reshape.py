def dot_product_scores(q, k):
    *front, n_q, d = q.shape
    n_k = k.shape[-2]
    q3 = q.reshape(-1, n_q, d)
    k3 = k.reshape(-1, n_k, d).permute(0, 2, 1)
    scores = torch.bmm(q3, k3)
    return scores.reshape(*front, n_q, n_k)
