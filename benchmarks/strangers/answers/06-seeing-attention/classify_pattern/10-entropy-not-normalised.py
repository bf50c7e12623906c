def classify_pattern(weights):
    entropy = -(weights * weights.log()).sum(-1).mean()
    if entropy >= 0.95:
        return "uniform"
    if weights.diagonal().mean() >= 0.8:
        return "diagonal"
    if weights.max(dim=-1).values.mean() >= 0.7:
        return "focused"
    if weights.triu(-1).tril(1).sum(-1).mean() >= 0.8:
        return "local"
    return "mixed"
