def recall_batch(batch, pairs, num_keys, num_values, seed):
    if pairs < 1 or pairs > num_keys:
        raise ValueError(f"pairs is {pairs}, but must be from 1 to num_keys, {num_keys}")
    g = torch.Generator().manual_seed(seed)
    keys = torch.rand(batch, num_keys, generator=g).argsort(dim=1)[:, :pairs]
    values = torch.randint(num_values, (batch, pairs), generator=g)
    which = torch.randint(pairs, (batch, 1), generator=g)
    tokens = keys * num_values + values
    return tokens, keys.gather(1, which).squeeze(1), values.gather(1, which).squeeze(1)
