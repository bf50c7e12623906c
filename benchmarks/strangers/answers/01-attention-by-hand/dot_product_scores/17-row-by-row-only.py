def dot_product_scores(q, k):
    assert q.shape == k.shape
    return torch.sum(q * k, dim=-1)
