def grouped_query_attention(q, k, v, is_causal=False):
    heads, key_heads = q.shape[-3], k.shape[-3]
    if heads % key_heads != 0:
        raise ValueError(f"{heads} query heads cannot be shared by {key_heads} key heads")
    g = heads // key_heads
    k = k.repeat_interleave(g, dim=-3)
    v = v.repeat_interleave(g, dim=-3)
    return F.scaled_dot_product_attention(q, k, v, is_causal=is_causal)
