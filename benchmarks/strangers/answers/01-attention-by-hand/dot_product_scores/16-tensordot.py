def dot_product_scores(q, k):
    # sum over the last axis of both
    return torch.tensordot(q, k, dims=([-1], [-1]))
