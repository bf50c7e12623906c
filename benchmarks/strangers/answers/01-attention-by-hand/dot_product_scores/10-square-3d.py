def dot_product_scores(q, k):
    B, T, C = q.shape
    kt = k.view(B, T, C).transpose(1, 2)
    att = q.view(B, T, C) @ kt     # (B, T, C) @ (B, C, T) -> (B, T, T)
    assert att.shape == (B, T, T)
    return att
