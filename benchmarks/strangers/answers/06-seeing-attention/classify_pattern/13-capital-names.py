def classify_pattern(weights):
    n = weights.shape[-1]
    H = -(weights * torch.log(weights)).sum(dim=-1).mean()
    if H >= 0.95 * math.log(n):
        return "Uniform"
    if weights.diagonal().mean() >= 0.8:
        return "Diagonal"
    if weights.max(-1).values.mean() >= 0.7:
        return "Focused"
    if weights.triu(-1).tril(1).sum(-1).mean() >= 0.8:
        return "Local"
    return "Mixed"
