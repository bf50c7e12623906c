def grouped_query_attention(q, k, v, is_causal=False):
    if q.shape[-3] % k.shape[-3]:
        raise ValueError(f"heads: {q.shape[-3]} queries, {k.shape[-3]} keys")
    return F.scaled_dot_product_attention(q, k, v, is_causal=is_causal, enable_gqa=True)
