@torch.inference_mode()
def recall_by_length(models, pair_counts, seed):
    def accuracy(model, pairs):
        tokens, query, answer = recall_batch(2000, pairs, model.num_keys, model.num_values, seed)
        best = model(tokens, query).max(dim=1).indices
        return (best == answer).sum().item() / len(answer)

    return {name: [accuracy(model, n) for n in pair_counts] for name, model in models.items()}
