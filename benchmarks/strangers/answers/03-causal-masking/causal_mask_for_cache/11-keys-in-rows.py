def causal_mask_for_cache(num_queries, num_keys):
    if num_queries > num_keys:
        raise ValueError("More queries than keys!")
    m = torch.zeros(num_keys, num_queries)
    for i in range(num_queries):
        m[: i + num_keys - num_queries + 1, i] = 1.0
    return m
