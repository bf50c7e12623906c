def softmax(x, axis=-1):
    lse = np.logaddexp.reduce(x, axis=axis, keepdims=True)
    return np.exp(x - lse)
