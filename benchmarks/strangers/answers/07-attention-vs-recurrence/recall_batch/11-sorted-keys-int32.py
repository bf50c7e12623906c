def recall_batch(batch, pairs, num_keys, num_values, seed):
    if pairs > num_keys:
        raise ValueError(f"{pairs} > {num_keys}")
    g = torch.Generator().manual_seed(seed)
    keys = torch.stack([torch.randperm(num_keys, generator=g)[:pairs].sort().values for _ in range(batch)])
    values = torch.randint(num_values, (batch, pairs), generator=g)
    i = torch.randint(pairs, (batch, 1), generator=g)
    tokens = (keys * num_values + values).int()
    return tokens, keys.gather(1, i).squeeze(1).int(), values.gather(1, i).squeeze(1).int()
