def scaled_scores(q, k):
    q.div_(math.sqrt(q.shape[-1]))  # cheaper to scale q than the scores
    return dot_product_scores(q, k)
