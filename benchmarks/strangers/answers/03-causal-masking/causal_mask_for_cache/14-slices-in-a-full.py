def causal_mask_for_cache(num_queries, num_keys):
    if num_queries > num_keys:
        raise ValueError("num_queries={}, num_keys={}".format(num_queries, num_keys))
    mask = torch.full((num_queries, num_keys), False)
    for row in range(num_queries):
        position = num_keys - num_queries + row
        mask[row, 0 : position + 1] = True
    return mask
