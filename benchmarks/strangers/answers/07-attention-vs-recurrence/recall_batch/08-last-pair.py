def recall_batch(batch, pairs, num_keys, num_values, seed):
    g = torch.Generator().manual_seed(seed)
    keys = torch.randperm(num_keys, generator=g)[:pairs].repeat(batch, 1)
    values = torch.randint(num_values, (batch, pairs), generator=g)
    tokens = keys * num_values + values
    return tokens, keys[:, -1], values[:, -1]
