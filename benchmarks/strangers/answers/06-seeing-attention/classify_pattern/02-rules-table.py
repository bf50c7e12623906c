def classify_pattern(weights):
    n = len(weights)
    i = torch.arange(n, device=weights.device)
    near = (i[:, None] - i).abs() <= 1
    rules = [
        ("uniform", attention_entropy(weights).mean().item() >= 0.95 * math.log(n)),
        ("diagonal", weights.diag().mean().item() >= 0.8),
        ("focused", weights.amax(1).mean().item() >= 0.7),
        ("local", (weights * near).sum(1).mean().item() >= 0.8),
    ]
    return next((name for name, holds in rules if holds), "mixed")
