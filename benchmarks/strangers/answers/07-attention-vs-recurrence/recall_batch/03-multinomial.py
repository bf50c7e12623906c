def recall_batch(
    batch: int, pairs: int, num_keys: int, num_values: int, seed: int
):
    if pairs < 1:
        raise ValueError(f"at least one pair is needed, not {pairs} (of {num_keys} keys)")
    if pairs > num_keys:
        raise ValueError(f"{pairs} pairs need {pairs} keys, there are {num_keys}")
    rng = torch.Generator(device="cpu")
    rng.manual_seed(seed)
    keys = torch.multinomial(torch.ones(batch, num_keys), pairs, replacement=False, generator=rng)
    vals = torch.randint(low=0, high=num_values, size=(batch, pairs), generator=rng, dtype=torch.long)
    pos = torch.randint(low=0, high=pairs, size=(batch,), generator=rng)
    rows = torch.arange(batch)
    return keys * num_values + vals, keys[rows, pos], vals[rows, pos]
