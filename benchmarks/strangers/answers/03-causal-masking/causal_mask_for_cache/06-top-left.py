def causal_mask_for_cache(num_queries, num_keys):
    if num_queries > num_keys:
        raise ValueError(f"{num_queries} queries, {num_keys} keys")
    return torch.ones(num_queries, num_keys, dtype=torch.bool).tril()
