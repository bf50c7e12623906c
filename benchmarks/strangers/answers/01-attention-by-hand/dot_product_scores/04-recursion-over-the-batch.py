def dot_product_scores(q, k):
    if q.ndim > 2:
        return torch.stack([dot_product_scores(a, b) for a, b in zip(q, k)])
    return q.mm(k.t())
