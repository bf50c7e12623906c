def classify_pattern(weights):
    w = weights.numpy()
    n = len(w)
    h = attention_entropy(weights).numpy()
    if (h >= 0.95 * np.log(n)).all():
        return "uniform"
    if (np.diag(w) >= 0.8).all():
        return "diagonal"
    if (w.max(axis=1) >= 0.7).all():
        return "focused"
    if all(w[i, max(i - 1, 0):i + 2].sum() >= 0.8 for i in range(n)):
        return "local"
    return "mixed"
