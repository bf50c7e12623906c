def classify_pattern(weights):
    n = weights.shape[0]
    if attention_entropy(weights).mean() >= 0.95 * math.log(n):
        return "uniform"
    if weights.max(dim=1).values.mean() >= 0.7:
        return "focused"
    if torch.diagonal(weights).mean() >= 0.8:
        return "diagonal"
    if weights.tril(1).triu(-1).sum(1).mean() >= 0.8:
        return "local"
    return "mixed"
