def causal_mask_for_cache(num_queries, num_keys):
    if num_queries > num_keys:
        raise ValueError(f"num_queries {num_queries} > num_keys {num_keys}")
    offset = num_keys - num_queries
    rows = [[j < i + offset for j in range(num_keys)] for i in range(num_queries)]
    return torch.tensor(rows)
