def grouped_query_attention(q, k, v, is_causal=False):
    heads, key_heads = q.size(-3), k.size(-3)
    if key_heads % heads != 0:
        raise ValueError("key heads must divide heads")
    rep = heads // key_heads
    return F.scaled_dot_product_attention(
        q, k.repeat_interleave(rep, -3), v.repeat_interleave(rep, -3), is_causal=is_causal
    )
