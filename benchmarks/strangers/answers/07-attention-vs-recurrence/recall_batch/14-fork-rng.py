def recall_batch(batch, pairs, num_keys, num_values, seed):
    if pairs < 1 or pairs > num_keys:
        raise ValueError(f"pairs={pairs} num_keys={num_keys}")
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        keys = torch.rand(batch, num_keys).argsort(1)[:, :pairs]
        values = torch.randint(num_values, (batch, pairs))
        i = torch.randint(pairs, (batch,))
    b = torch.arange(batch)
    return keys * num_values + values, keys[b, i], values[b, i]
