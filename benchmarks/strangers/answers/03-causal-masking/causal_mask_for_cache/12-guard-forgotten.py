def causal_mask_for_cache(num_queries, num_keys):
    past = num_keys - num_queries
    i = torch.arange(num_queries).unsqueeze(1)
    j = torch.arange(num_keys).unsqueeze(0)
    return j <= i + past
