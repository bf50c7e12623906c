def dot_product_scores(q: Tensor, k: Tensor) -> Tensor:
    d_k = q.size(-1)
    scores = torch.matmul(q, k.transpose(-2, -1)) / math.sqrt(d_k)
    return scores
