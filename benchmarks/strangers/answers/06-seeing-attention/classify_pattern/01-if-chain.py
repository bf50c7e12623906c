def classify_pattern(weights):
    seq = weights.shape[-1]
    if attention_entropy(weights).mean() >= 0.95 * math.log(seq):
        return "uniform"
    if weights.diagonal().mean() >= 0.8:
        return "diagonal"
    if weights.max(dim=-1).values.mean() >= 0.7:
        return "focused"
    band = weights.triu(-1).tril(1)
    if band.sum(dim=-1).mean() >= 0.8:
        return "local"
    return "mixed"
