def dot_product_scores(q, k):
    s = torch.einsum("...id,...jd->...ji", q, k)
    return s.squeeze()
