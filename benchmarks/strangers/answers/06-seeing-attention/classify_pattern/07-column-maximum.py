def classify_pattern(weights):
    seq = weights.size(0)
    mean_entropy = attention_entropy(weights).mean()
    if mean_entropy >= 0.95 * math.log(seq):
        return "uniform"
    if weights.diagonal().mean() >= 0.8:
        return "diagonal"
    if weights.max(dim=0).values.mean() >= 0.7:
        return "focused"
    index = torch.arange(seq, device=weights.device)
    close = (index.unsqueeze(0) - index.unsqueeze(1)).abs() <= 1
    if (weights * close).sum(dim=-1).mean() >= 0.8:
        return "local"
    return "mixed"
