def recall_by_length(models, pair_counts, seed, count=1500):
    drawn = {}
    accuracies = {}
    for pairs in pair_counts:
        for name in models:
            model = models[name]
            sizes = (pairs, model.num_keys, model.num_values)
            if sizes not in drawn:
                drawn[sizes] = recall_batch(count, *sizes, seed)
            tokens, query, answer = drawn[sizes]
            with torch.no_grad():
                guess = torch.topk(model(tokens, query), 1, dim=-1).indices[:, 0]
            accuracies.setdefault(name, []).append(torch.eq(guess, answer).double().mean().item())
    return accuracies if pair_counts else {name: [] for name in models}
