def causal_mask_for_cache(num_queries: int, num_keys: int) -> Bool[Tensor, "num_queries num_keys"]:
    cached = num_keys - num_queries
    if cached < 0:
        raise ValueError(f"num_queries={num_queries} > num_keys={num_keys}")
    return causal_mask(num_keys)[cached:]
