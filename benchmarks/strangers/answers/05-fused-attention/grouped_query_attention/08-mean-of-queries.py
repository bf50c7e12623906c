def grouped_query_attention(q, k, v, is_causal=False):
    g = q.shape[-3] // k.shape[-3]
    q = q.unflatten(-3, (-1, g)).mean(dim=-3)
    return F.scaled_dot_product_attention(q, k, v, is_causal=is_causal)
