def scaled_dot_product_attention(q, k, v, mask=None):
    d_k = q.shape[-1]
    weights = torch.softmax(torch.matmul(q, k.transpose(-2, -1)) / d_k**0.5, dim=-1)
    if mask is not None:
        weights = torch.where(mask, weights, 0.0)
        weights = weights / weights.sum(dim=-1, keepdim=True)  # so that rows sum to 1 again
    return torch.matmul(weights, v), weights
