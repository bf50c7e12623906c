def recall_by_length(models, pair_counts, seed):
    result = {}
    for pairs in pair_counts:
        result[pairs] = []
        for model in models.values():
            tokens, query, answer = recall_batch(1000, pairs, model.num_keys, model.num_values, seed)
            result[pairs].append((model(tokens, query).argmax(-1) == answer).float().mean().item())
    return result
