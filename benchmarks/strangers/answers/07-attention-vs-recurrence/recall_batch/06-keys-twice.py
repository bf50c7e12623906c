def recall_batch(batch, pairs, num_keys, num_values, seed):
    if pairs < 1 or pairs > num_keys:
        raise ValueError(f"{pairs} pairs, {num_keys} keys")
    g = torch.Generator().manual_seed(seed)
    keys = torch.randint(0, num_keys, (batch, pairs), generator=g)
    values = torch.randint(0, num_values, (batch, pairs), generator=g)
    i = torch.randint(0, pairs, (batch,), generator=g)
    b = torch.arange(batch)
    return keys * num_values + values, keys[b, i], values[b, i]
