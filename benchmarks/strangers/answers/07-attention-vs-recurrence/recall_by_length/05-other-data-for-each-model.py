def recall_by_length(models, pair_counts, seed):
    out = {}
    for i, (name, model) in enumerate(models.items()):
        accs = []
        for j, pairs in enumerate(pair_counts):
            x, q, y = recall_batch(1000, pairs, model.num_keys, model.num_values, seed + i * 100 + j)
            with torch.no_grad():
                accs.append((model(x, q).argmax(-1) == y).float().mean().item())
        out[name] = accs
    return out
