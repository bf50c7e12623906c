def causal_mask_for_cache(num_queries, num_keys):
    if num_queries > num_keys:
        raise ValueError(f"{num_queries=} is more than {num_keys=}")
    start = num_keys - num_queries + 1
    return torch.tril(torch.ones(num_queries, num_keys), diagonal=start) == 1
