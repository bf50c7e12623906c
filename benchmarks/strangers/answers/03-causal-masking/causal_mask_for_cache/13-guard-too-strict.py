def causal_mask_for_cache(num_queries, num_keys):
    if num_queries >= num_keys:
        raise ValueError(f"got {num_queries} queries but only {num_keys} keys")
    return torch.ones(num_queries, num_keys, dtype=torch.bool, device="cpu").tril(num_keys - num_queries)
