def softmax(x, axis=-1):
    scores = np.array(x, dtype=float)
    maxes = np.max(scores, axis=axis)
    scores = scores - np.expand_dims(maxes, axis)
    exp = np.exp(scores)
    result = exp / np.expand_dims(np.sum(exp, axis=axis), axis)
    assert np.allclose(result.sum(axis=axis), 1.0)
    return result
