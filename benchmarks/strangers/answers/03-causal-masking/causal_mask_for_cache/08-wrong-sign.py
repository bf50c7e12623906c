def causal_mask_for_cache(num_queries, num_keys):
    mask = torch.ones(num_queries, num_keys, dtype=torch.bool)
    return torch.tril(mask, diagonal=num_queries - num_keys)
