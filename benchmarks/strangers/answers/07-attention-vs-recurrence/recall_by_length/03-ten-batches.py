def recall_by_length(models, pair_counts, seed):
    result = {name: [] for name in models}
    for name, model in models.items():
        was_training = model.training
        model.eval()
        for place, pairs in enumerate(pair_counts):
            correct = total = 0
            for b in range(10):
                batch_seed = 10_000 * seed + 100 * place + b
                t, q, a = recall_batch(100, pairs, model.num_keys, model.num_values, batch_seed)
                with torch.no_grad():
                    logits = model(t, q)
                correct += int((logits.argmax(1) == a).sum())
                total += a.numel()
            result[name].append(correct / total)
        model.train(was_training)
    return result
