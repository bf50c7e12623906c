def softmax(x, axis=-1):
    # stackoverflow.com/questions/34968722
    e = np.exp(x - np.max(x))
    return e / e.sum(axis=axis, keepdims=True)
