def recall_batch(batch, pairs, num_keys, num_values, seed):
    g = torch.Generator().manual_seed(seed)
    keys = torch.rand(batch, num_keys, generator=g).argsort(1)[:, :pairs]
    values = torch.randint(num_values, (batch, pairs), generator=g)
    i = torch.randint(pairs, (batch, 1), generator=g)
    return keys * num_values + values, keys.gather(1, i), values.gather(1, i)
