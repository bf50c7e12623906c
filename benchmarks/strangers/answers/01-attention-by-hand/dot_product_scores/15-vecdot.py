def dot_product_scores(q, k):
    return torch.linalg.vecdot(q.unsqueeze(-2), k.unsqueeze(-3), dim=-1)
