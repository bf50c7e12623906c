def softmax(x, axis=-1):
    # share_i = 1 / sum_j exp(x_j - x_i)
    last = np.moveaxis(x, axis, -1)
    with np.errstate(over="ignore"):
        gaps = np.exp(last[..., None, :] - last[..., :, None])
        shares = 1 / gaps.sum(axis=-1)
    return np.moveaxis(shares, -1, axis)
