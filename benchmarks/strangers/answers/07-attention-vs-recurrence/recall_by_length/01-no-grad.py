def recall_by_length(models, pair_counts, seed):
    shares = {}
    with torch.no_grad():
        for name, model in models.items():
            shares[name] = []
            for pairs in pair_counts:
                tokens, query, answer = recall_batch(1000, pairs, model.num_keys, model.num_values, seed + pairs)
                right = model(tokens, query).argmax(dim=-1) == answer
                shares[name].append(right.float().mean().item())
    return shares
