def scaled_dot_product_attention(q, k, v, mask=None):
    s = q @ k.mT / k.shape[-1] ** 0.5
    if mask is None:
        mask = torch.ones_like(s, dtype=torch.bool)
    s = s.masked_fill(~mask, -math.inf)
    e = (s - s.amax(dim=-1, keepdim=True)).exp()
    w = e / e.sum(dim=-1, keepdim=True)
    return w @ v, w
