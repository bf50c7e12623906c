def classify_pattern(weights: Float[Tensor, "seq seq"]) -> str:
    w = weights.detach().cpu().double().numpy()
    n = w.shape[0]
    h = attention_entropy(weights.detach().double()).mean().item()
    on_diagonal = np.trace(w) / n
    row_max = w.max(axis=1).mean()
    within_one = sum(np.trace(w, offset=o) for o in (-1, 0, 1)) / n
    pattern = "mixed"
    # from the last rule to the first, so that the first one wins
    if within_one >= 0.8:
        pattern = "local"
    if row_max >= 0.7:
        pattern = "focused"
    if on_diagonal >= 0.8:
        pattern = "diagonal"
    if h >= 0.95 * np.log(n):
        pattern = "uniform"
    return pattern
