def scaled_scores(q, k):
    d_k = q.shape[-1]
    return dot_product_scores(q, k) / d_k
