def causal_mask_for_cache(num_queries, num_keys, device=None):
    """mask_ij = (j <= i + num_keys - num_queries)"""
    if not num_queries <= num_keys:
        raise ValueError(f"num_queries ({num_queries}) must not exceed num_keys ({num_keys})")
    i = torch.arange(num_queries, device=device).view(-1, 1)
    j = torch.arange(num_keys, device=device).view(1, -1)
    return j <= i + num_keys - num_queries
