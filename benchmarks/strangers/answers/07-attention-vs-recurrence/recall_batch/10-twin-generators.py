def recall_batch(batch, pairs, num_keys, num_values, seed):
    if pairs < 1 or pairs > num_keys:
        raise ValueError(f"pairs {pairs}, num_keys {num_keys}")

    def dice():
        return torch.Generator().manual_seed(seed)

    keys = torch.rand(batch, num_keys, generator=dice()).argsort(1)[:, :pairs]
    values = torch.randint(num_values, (batch, pairs), generator=dice())
    place = torch.randint(pairs, (batch,), generator=dice())
    row = torch.arange(batch)
    return keys * num_values + values, keys[row, place], values[row, place]
