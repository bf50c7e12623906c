def recall_by_length(models, pair_counts, seed):
    first = list(models.values())[0]
    out = {}
    for name, model in models.items():
        out[name] = []
        for pairs in pair_counts:
            t, q, a = recall_batch(64, pairs, first.num_keys, first.num_values, seed)
            with torch.no_grad():
                out[name].append(100 * (model(t, q).argmax(1) == a).float().mean().item())
    return out
