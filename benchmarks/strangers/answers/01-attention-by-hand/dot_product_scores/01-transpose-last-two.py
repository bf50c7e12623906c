def dot_product_scores(query, key):
    return torch.matmul(query, key.transpose(-2, -1))
