def recall_batch(batch, pairs, num_keys, num_values, seed):
    if pairs < 1 or pairs > num_keys:
        raise ValueError(f"pairs={pairs} outside 1..{num_keys}")
    g = torch.Generator().manual_seed(seed)
    keys = torch.argsort(torch.rand(batch, num_keys, generator=g), dim=1)[:, :pairs]
    values = torch.randint(0, num_values, (batch, pairs), generator=g)
    pick = torch.randint(0, pairs, (batch, 1), generator=g)
    tokens = values * num_keys + keys
    return tokens, torch.gather(keys, 1, pick).flatten(), torch.gather(values, 1, pick).flatten()
