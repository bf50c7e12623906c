def softmax(x, axis = -1):
    y = np.moveaxis(x, axis, -1)
    y = y - y.max(-1)[..., None]
    y = np.exp(y)
    y = y / y.sum(-1)[..., None]
    return np.moveaxis(y, -1, axis)
