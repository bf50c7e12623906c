def dot_product_scores(q, k):
    # (..., queries, 1, d) * (..., 1, keys, d)
    pairs = q[..., :, None, :] * k[..., None, :, :]
    return pairs.sum(dim=-1)
