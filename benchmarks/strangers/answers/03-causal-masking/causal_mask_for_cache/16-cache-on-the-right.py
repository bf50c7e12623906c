def causal_mask_for_cache(num_queries, num_keys):
    new = causal_mask(num_queries)
    old = torch.ones(num_queries, num_keys - num_queries, dtype=torch.bool)
    return torch.cat((new, old), dim=-1)
