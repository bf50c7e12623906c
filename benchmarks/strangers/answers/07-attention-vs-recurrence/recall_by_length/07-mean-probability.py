def recall_by_length(models, pair_counts, seed):
    shares = {name: [] for name in models}
    with torch.no_grad():
        for name, model in models.items():
            for pairs in pair_counts:
                tokens, query, answer = recall_batch(1000, pairs, model.num_keys, model.num_values, seed + pairs)
                p = torch.softmax(model(tokens, query), dim=-1)
                shares[name].append(p[torch.arange(1000), answer].mean().item())
    return shares
