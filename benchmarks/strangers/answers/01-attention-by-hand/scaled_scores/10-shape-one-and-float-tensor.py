def scaled_scores(q, k):
    d_k = q.shape[1]
    scale = torch.sqrt(torch.FloatTensor([d_k]))
    return dot_product_scores(q, k) / scale
