from collections import defaultdict

@torch.no_grad()
def recall_by_length(models, pair_counts: Sequence[int], seed: int):
    how_many = 1024
    table = defaultdict(list)
    for name in models:
        for pairs in list(pair_counts):
            tokens, query, answer = recall_batch(
                how_many, pairs, models[name].num_keys, models[name].num_values, hash((seed, pairs)) % 2**31
            )
            logits = models[name](tokens, query)
            guesses = [row.index(max(row)) for row in logits.tolist()]
            hits = [g == a for g, a in zip(guesses, answer.tolist())]
            table[name].append(sum(hits) / how_many)
    return table
