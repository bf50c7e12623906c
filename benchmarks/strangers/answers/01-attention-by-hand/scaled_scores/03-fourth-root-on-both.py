def scaled_scores(q, k):
    """q and k each by d ** 1/4, so the product is by d ** 1/2"""
    r = math.pow(q.shape[-1], 0.25)
    return torch.einsum("...nd,...md->...nm", q / r, k / r)
