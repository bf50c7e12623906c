def scaled_scores(q, k):
    scores = dot_product_scores(q, k)
    # the spread should be 1
    return scores / scores.std()
