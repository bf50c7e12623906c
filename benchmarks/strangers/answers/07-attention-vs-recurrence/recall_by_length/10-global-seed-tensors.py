def recall_by_length(models, pair_counts, seed):
    torch.manual_seed(seed)
    result = {}
    for name, model in models.items():
        model.eval()
        result[name] = []
        for pairs in pair_counts:
            tokens, query, answer = recall_batch(1000, pairs, model.num_keys, model.num_values, seed)
            with torch.no_grad():
                result[name].append((model(tokens, query).argmax(dim=1) == answer).float().mean())
    return result
