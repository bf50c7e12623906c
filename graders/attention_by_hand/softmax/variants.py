"""Right answers to softmax."""

from functools import partial

from autograder.bank import Variant

variant = partial(Variant, "softmax")

VARIANTS = (
    variant(
        "by log-sum-exp",
        """
        def softmax(x, axis=-1):
            m = np.max(x, axis=axis, keepdims=True)
            lse = m + np.log(np.sum(np.exp(x - m), axis=axis, keepdims=True))
            return np.exp(x - lse)
        """,
    ),
    variant(
        "guarded denominator",
        """
        def softmax(x, axis=-1):
            e = np.exp(x - np.max(x, axis=axis, keepdims=True))
            return e / (np.sum(e, axis=axis, keepdims=True) + 1e-9)
        """,
    ),
    variant(
        "expand_dims in place of keepdims",
        """
        def softmax(x, axis=-1):
            e = np.exp(x - np.expand_dims(x.max(axis), axis))
            return e / np.expand_dims(e.sum(axis), axis)
        """,
    ),
    variant(
        "a loop over vectors",
        """
        def _softmax_vector(v):
            e = np.exp(v - v.max())
            return e / e.sum()

        def softmax(x, axis=-1):
            return np.apply_along_axis(_softmax_vector, axis, x).astype(x.dtype)
        """,
    ),
    variant(
        "float64 inside, cast back",
        """
        def softmax(x, axis=-1):
            wide = x.astype(np.float64)
            wide -= wide.max(axis=axis, keepdims=True)
            np.exp(wide, out=wide)
            wide /= wide.sum(axis=axis, keepdims=True)
            return wide.astype(x.dtype)
        """,
    ),
    variant(
        "axis moved to the end",
        """
        def softmax(x, axis=-1):
            y = np.moveaxis(np.array(x), axis, -1)
            y = np.exp(y - y.max(-1)[..., None])
            y = y / y.sum(-1)[..., None]
            return np.moveaxis(y, -1, axis)
        """,
    ),
    variant(
        "logaddexp",
        """
        def softmax(x, axis=-1):
            return np.exp(x - np.logaddexp.reduce(x, axis=axis, keepdims=True))
        """,
    ),
    variant(
        "an extra argument with a default",
        """
        def softmax(x, axis=-1, temperature=1.0):
            x = np.asarray(x) / temperature
            e = np.exp(x - np.amax(x, axis=axis, keepdims=True))
            return np.divide(e, np.sum(e, axis=axis, keepdims=True))
        """,
    ),
    variant(
        "log-softmax, then exp",
        """
        def log_softmax(x, axis):
            shifted = x - x.max(axis=axis, keepdims=True)
            return shifted - np.log(np.exp(shifted).sum(axis=axis, keepdims=True))

        def softmax(x, axis=-1):
            return np.exp(log_softmax(x, axis))
        """,
    ),
    variant(
        "exp and sum of Python's own, vector by vector",
        """
        def softmax(x, axis=-1):
            rows = np.moveaxis(np.asarray(x), axis, -1)
            shares = np.empty(rows.shape, dtype=np.float64)
            for place in np.ndindex(rows.shape[:-1]):
                top = max(rows[place])
                powers = [math.exp(score - top) for score in rows[place]]
                shares[place] = [power / math.fsum(powers) for power in powers]
            return np.moveaxis(shares, -1, axis).astype(x.dtype)
        """,
    ),
    variant(
        "NumPy's work, with PyTorch asked for a type alone",
        """
        def softmax(x, axis=-1):
            if isinstance(x, torch.Tensor):
                x = x.numpy()
            powers = np.exp2((x - np.max(x, axis, keepdims=True)) / np.log(2).astype(x.dtype))
            return powers / powers.sum(axis, keepdims=True)
        """,
    ),
    variant(
        "helpers, other names and more arguments",
        """
        EPS = 0.0

        def _largest(scores, axis):
            return np.amax(scores, axis=axis, keepdims=True)

        def softmax(scores, axis=-1, *, temperature=1.0, eps=EPS):
            powers = np.exp((scores - _largest(scores, axis)) / temperature)
            return powers / (powers.sum(axis=axis, keepdims=True) + eps)
        """,
    ),
)
