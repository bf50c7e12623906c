def recall_batch(batch, pairs, num_keys, num_values, seed):
    if pairs < 1 or pairs > num_keys:
        raise ValueError(f"pairs must be between 1 and {num_keys}, got {pairs}")
    torch.manual_seed(seed)
    keys = torch.rand(batch, num_keys).argsort(dim=-1)[:, :pairs]
    values = torch.randint(0, num_values, (batch, pairs))
    idx = torch.randint(0, pairs, (batch, 1))
    return keys * num_values + values, keys.gather(1, idx)[:, 0], values.gather(1, idx)[:, 0]
