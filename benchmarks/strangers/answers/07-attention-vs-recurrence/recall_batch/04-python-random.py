import random

def recall_batch(batch, pairs, num_keys, num_values, seed):
    if pairs < 1 or pairs > num_keys:
        raise ValueError(f"cannot draw {pairs} different keys out of {num_keys}")
    rnd = random.Random(seed)
    tokens, queries, answers = [], [], []
    for _ in range(batch):
        keys = rnd.sample(range(num_keys), pairs)
        values = [rnd.randrange(num_values) for _ in keys]
        key, value = rnd.choice(list(zip(keys, values)))
        tokens.append([k * num_values + v for k, v in zip(keys, values)])
        queries.append(key)
        answers.append(value)
    as_tensor = lambda rows: torch.tensor(rows, dtype=torch.int64)
    return as_tensor(tokens), as_tensor(queries), as_tensor(answers)
