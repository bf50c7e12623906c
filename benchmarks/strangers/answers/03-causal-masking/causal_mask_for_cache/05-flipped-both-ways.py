def causal_mask_for_cache(num_queries, num_keys):
    if num_queries > num_keys:
        raise ValueError(f"more queries ({num_queries}) than keys ({num_keys})")
    # from the last query and the last key backwards it is a plain upper triangle
    backwards = torch.ones((num_queries, num_keys)).triu().bool()
    return backwards.flip(0, 1)
