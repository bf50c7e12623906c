def scaled_dot_product_attention(q, k, v, mask=None):
    q = q * q.shape[-1] ** -0.5
    logits = torch.einsum("...qd,...kd->...qk", q, k)
    if mask is not None:
        logits = torch.where(mask, logits, -torch.inf)
    attn = torch.softmax(logits, -1)
    return torch.einsum("...qk,...kv->...qv", attn, v), attn
