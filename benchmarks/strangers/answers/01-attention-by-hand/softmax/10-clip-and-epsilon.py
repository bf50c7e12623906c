def softmax(x, axis=-1):
    x = np.clip(np.asarray(x, dtype=np.float64), -500, 500)  # avoid overflow
    ex = np.exp(x)
    return ex / (np.sum(ex, axis=axis, keepdims=True) + 1e-9)
