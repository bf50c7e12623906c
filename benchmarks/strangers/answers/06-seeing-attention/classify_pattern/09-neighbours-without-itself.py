def classify_pattern(weights):
    n = weights.shape[0]
    if attention_entropy(weights).mean() > 0.95 * math.log(n):
        return "uniform"
    if weights.diag().mean() > 0.8:
        return "diagonal"
    if weights.max(-1)[0].mean() > 0.7:
        return "focused"
    neighbours = weights.diagonal(1).sum() + weights.diagonal(-1).sum()
    if neighbours / n > 0.8:
        return "local"
    return "mixed"
