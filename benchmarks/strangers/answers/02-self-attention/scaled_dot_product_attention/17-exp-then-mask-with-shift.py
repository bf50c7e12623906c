def scaled_dot_product_attention(q, k, v, mask=None):
    scores = torch.matmul(q, k.mT) * (q.shape[-1] ** -0.5)
    allowed = scores if mask is None else scores.masked_fill(mask.logical_not(), float("-inf"))
    numer = (allowed - allowed.max(dim=-1, keepdim=True)[0]).exp()
    weights = numer / numer.sum(dim=-1, keepdim=True)
    return weights.matmul(v), weights
