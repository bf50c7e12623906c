def causal_attention(q, k, v):
    if q.shape[-2] != k.shape[-2]:
        raise ValueError(f"{q.shape[-2]} queries but {k.shape[-2]} keys")
    out = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
    s = q @ k.mT / math.sqrt(q.size(-1))
    w = masked_softmax(s, causal_mask(s.size(-1), device=s.device))
    return out, w
