def recall_batch(batch, pairs, num_keys, num_values, seed):
    if pairs not in range(1, num_keys + 1):
        raise ValueError(f"pairs {pairs} must lie between 1 and {num_keys}")
    gen = torch.Generator().manual_seed(seed)
    order = torch.stack([torch.randperm(num_keys, generator=gen) for _ in range(batch)])
    tokens = order[:, :pairs] * num_values
    tokens = tokens + torch.randint(num_values, tokens.shape, generator=gen)
    place = (torch.rand(batch, generator=gen) * pairs).long()
    asked = tokens[torch.arange(batch), place]
    return tokens, asked // num_values, asked % num_values
