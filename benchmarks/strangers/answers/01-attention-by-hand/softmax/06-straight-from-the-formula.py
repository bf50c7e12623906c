def softmax(x: Float[np.ndarray, "..."], axis: int = -1) -> Float[np.ndarray, "..."]:
    exps = np.exp(x)
    total = exps.sum(axis=axis, keepdims=True)
    return exps / total
