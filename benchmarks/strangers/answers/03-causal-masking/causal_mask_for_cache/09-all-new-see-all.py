def causal_mask_for_cache(num_queries, num_keys):
    if num_queries > num_keys:
        raise ValueError(f"{num_queries} > {num_keys}")
    # the new tokens come after the cache, so they may look at everything
    return torch.ones(num_queries, num_keys, dtype=torch.bool)
