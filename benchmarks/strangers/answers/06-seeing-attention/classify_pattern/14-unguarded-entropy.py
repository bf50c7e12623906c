def classify_pattern(weights):
    n = weights.shape[-1]
    entropy = (-weights * weights.log()).sum(-1).mean()
    on_itself = torch.trace(weights) / n
    sharp = weights.max(-1).values.mean()
    close = sum(weights.diagonal(o).sum() for o in (-1, 0, 1)) / n
    if entropy / math.log(n) >= 0.95:
        return "uniform"
    if on_itself >= 0.8:
        return "diagonal"
    if sharp >= 0.7:
        return "focused"
    return "local" if close >= 0.8 else "mixed"
