def recall_by_length(models, pair_counts, seed):
    results = {}
    with torch.no_grad():
        for name, model in models.items():
            results[name] = []
            for pairs in pair_counts:
                tokens, query, answer = recall_batch(1000, pairs, model.num_keys, model.num_values, seed)
                predicted = model(tokens, query).argmax(dim=0)
                hits = (predicted[:, None] == answer[None, :]).float()
                results[name].append(hits.mean().item())
    return results
