def dot_product_scores(q, k):
    """Cosine similarity between each query and each key."""
    qn = torch.nn.functional.normalize(q, dim=-1)
    kn = torch.nn.functional.normalize(k, dim=-1)
    return torch.einsum('...id,...jd->...ij', qn, kn)
