def softmax(x, axis=-1):
    # subtract the max for numerical stability (softmax is shift invariant)
    e_x = np.exp(x - np.max(x, axis=axis, keepdims=True))
    return e_x / np.sum(e_x, axis=axis, keepdims=True)
