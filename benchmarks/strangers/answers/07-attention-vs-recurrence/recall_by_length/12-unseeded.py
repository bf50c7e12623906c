def recall_by_length(models, pair_counts, seed):
    accs = {name: [] for name in models}
    for pairs in pair_counts:
        for name, model in models.items():
            s = torch.randint(0, 100000, (1,)).item()
            tokens, query, answer = recall_batch(512, pairs, model.num_keys, model.num_values, s)
            with torch.no_grad():
                accs[name].append((model(tokens, query).argmax(-1) == answer).float().mean().item())
    return accs
