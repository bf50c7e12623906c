def dot_product_scores(q, k):
    total = 0
    for c in range(q.shape[-1]):
        total = total + q[..., :, None, c] * k[..., None, :, c]
    return total
