def scaled_scores(q, k):
    d_k = k.shape[-1]
    return dot_product_scores(q, k) / math.sqrt(d_k)
