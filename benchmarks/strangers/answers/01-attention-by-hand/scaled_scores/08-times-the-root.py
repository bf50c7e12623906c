def scaled_scores(q, k):
    scale = math.sqrt(q.shape[-1])
    return dot_product_scores(q, k) * scale
