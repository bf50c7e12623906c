def classify_pattern(weights):
    if attention_entropy(weights).mean() >= 0.95 * math.log(weights.shape[-1]):
        return "uniform"
    elif weights.trace() >= 0.8:
        return "diagonal"
    elif weights.max(dim=-1).values.mean() >= 0.7:
        return "focused"
    elif weights.triu(-1).tril(1).sum(-1).mean() >= 0.8:
        return "local"
