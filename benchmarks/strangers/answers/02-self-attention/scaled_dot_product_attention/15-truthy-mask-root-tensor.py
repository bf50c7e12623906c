def scaled_dot_product_attention(q, k, v, mask=None):
    root = torch.sqrt(torch.Tensor([q.shape[-1]]))
    scores = q @ k.mT / root
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    weights = scores.softmax(-1)
    return [weights @ v.to(weights.dtype), weights.detach()]
