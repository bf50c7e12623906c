def recall_batch(batch, pairs, num_keys, num_values, seed):
    if not 1 <= pairs <= num_keys:
        raise ValueError("pairs=%d, num_keys=%d" % (pairs, num_keys))
    dice = torch.Generator()
    dice.manual_seed(seed)
    tokens, query, answer = [], [], []
    for _ in range(batch):
        keys = torch.randperm(num_keys, generator=dice)[:pairs]
        values = torch.randint(0, num_values, (pairs,), generator=dice)
        asked = torch.randint(0, pairs, (), generator=dice).item()
        tokens.append(keys * num_values + values)
        query.append(keys[asked])
        answer.append(values[asked])
    return torch.stack(tokens), torch.stack(query), torch.stack(answer)
