def grouped_query_attention(q, k, v, is_causal: bool = False):
    n_q, n_k = q.shape[-3], k.shape[-3]
    if n_q % n_k > 0:
        raise ValueError(f"need a multiple: {n_q} query heads, {n_k} key heads")
    serve = torch.arange(n_q, device=q.device) // (n_q // n_k)
    return F.scaled_dot_product_attention(
        q, torch.index_select(k, -3, serve), torch.index_select(v, -3, serve), is_causal=is_causal
    )
