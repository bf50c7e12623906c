def causal_mask_for_cache(num_queries, num_keys):
    assert num_keys >= num_queries, (num_queries, num_keys)
    return torch.triu(torch.ones(num_queries, num_keys), diagonal=num_keys - num_queries + 1).bool()
