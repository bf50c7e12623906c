def softmax(x, axis=-1):
    mean = np.mean(x, axis=axis, keepdims=True, dtype=np.float64)
    x = x - mean
    print("centred:", x)
    e = np.exp(x)
    return e / e.sum(axis=axis, keepdims=True)
