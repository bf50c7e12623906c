def softmax(x: Float[np.ndarray, "..."], axis: int = -1) -> Float[np.ndarray, "..."]:
    # TODO axis?
    shifted = x - x.max(axis=-1, keepdims=True)
    num = np.exp(shifted)
    den = num.sum(axis=-1, keepdims=True)
    return num / den
