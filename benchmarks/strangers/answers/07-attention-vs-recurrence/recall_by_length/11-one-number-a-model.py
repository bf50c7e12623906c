def recall_by_length(models, pair_counts, seed):
    out = {}
    for name, model in models.items():
        hits = []
        for pairs in pair_counts:
            tokens, query, answer = recall_batch(1000, pairs, model.num_keys, model.num_values, seed)
            with torch.no_grad():
                hits.append((model(tokens, query).argmax(-1) == query).float().mean().item())
        out[name] = sum(hits) / len(hits)
    return out
