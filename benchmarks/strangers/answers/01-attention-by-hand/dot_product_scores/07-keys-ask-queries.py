def dot_product_scores(q, k):
    scores = k @ q.mT
    return scores
