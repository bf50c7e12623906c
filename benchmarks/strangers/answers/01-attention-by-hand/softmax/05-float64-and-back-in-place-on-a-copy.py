def softmax(x: Float[np.ndarray, "..."], axis: int = -1) -> Float[np.ndarray, "..."]:
    out = x.astype(np.float64)          # astype copies, so x stays as it was
    out -= np.amax(out, axis=axis, keepdims=True)
    np.exp(out, out=out)
    out /= out.sum(axis=axis, keepdims=True)
    return out.astype(x.dtype)
