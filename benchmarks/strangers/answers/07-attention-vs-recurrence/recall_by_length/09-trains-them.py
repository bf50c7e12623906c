def recall_by_length(models, pair_counts, seed):
    shares = {}
    for name, model in models.items():
        shares[name] = []
        for pairs in pair_counts:
            train_recall(model, 20, pairs, seed)
            tokens, query, answer = recall_batch(1000, pairs, 16, 4, seed + 1)
            shares[name].append((model(tokens, query).argmax(-1) == answer).float().mean().item())
    return shares
