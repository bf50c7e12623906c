def classify_pattern(weights):
    n = weights.shape[0]
    if attention_entropy(weights).mean() >= 0.95 * math.log(n):
        return "uniform"
    if weights.diagonal().mean() >= 0.8:
        return "diagonal"
    if weights.amax(dim=-1).mean() >= 0.7:
        return "focused"
    i = torch.arange(n, device=weights.device)
    band = (i[:, None] - i[None, :]).abs() <= 1
    if weights[band].mean() >= 0.8:
        return "local"
    return "mixed"
