def grouped_query_attention(q, k, v, is_causal=False):
    heads, key_heads = q.shape[-3], k.shape[-3]
    if heads % key_heads != 0:
        raise ValueError(f"heads {heads} is not a multiple of key_heads {key_heads}")
    g = heads // key_heads
    k = torch.cat([k] * g, dim=-3)
    v = torch.cat([v] * g, dim=-3)
    return F.scaled_dot_product_attention(q, k, v, is_causal=is_causal)
