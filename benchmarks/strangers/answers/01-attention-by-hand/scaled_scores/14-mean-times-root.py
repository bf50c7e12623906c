def scaled_scores(q, k):
    products = q.unsqueeze(-2) * k.unsqueeze(-3)
    return products.mean(-1) * math.sqrt(q.size(-1))
