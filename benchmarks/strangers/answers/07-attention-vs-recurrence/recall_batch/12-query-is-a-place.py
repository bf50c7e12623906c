def recall_batch(batch, pairs, num_keys, num_values, seed):
    if pairs < 1 or pairs > num_keys:
        raise ValueError("wrong number of pairs")
    g = torch.Generator().manual_seed(seed)
    keys = torch.rand(batch, num_keys, generator=g).argsort(1)[:, :pairs]
    values = torch.randint(num_values, (batch, pairs), generator=g)
    query = torch.randint(pairs, (batch,), generator=g)
    answer = values[torch.arange(batch), query]
    return keys * num_values + values, query, answer
