def scaled_scores(q, k):
    root = int(math.sqrt(q.shape[-1]))
    return dot_product_scores(q, k) / root
