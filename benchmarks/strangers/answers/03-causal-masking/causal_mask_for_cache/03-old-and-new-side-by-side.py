def causal_mask_for_cache(num_queries, num_keys):
    if num_keys < num_queries:
        raise ValueError("only %d keys for %d queries" % (num_keys, num_queries))
    cache = torch.ones(num_queries, num_keys - num_queries).bool()
    new = torch.tril(torch.ones(num_queries, num_queries)).bool()
    return torch.cat([cache, new], dim=1)
