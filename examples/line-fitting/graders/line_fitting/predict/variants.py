"""Right answers to predict."""

from functools import partial

from autograder.bank import Variant

variant = partial(Variant, "predict")

VARIANTS = (
    variant(
        "np.add and np.multiply",
        """
        def predict(x, slope, intercept):
            return np.add(np.multiply(x, slope), intercept)
        """,
    ),
    variant(
        "a comprehension, float32 kept",
        """
        def predict(x, slope, intercept):
            return np.array([slope * value + intercept for value in x], dtype=x.dtype)
        """,
    ),
    variant(
        "a loop into a new array",
        """
        def predict(x, slope, intercept):
            predicted = np.empty_like(x)
            for i in range(len(x)):
                predicted[i] = intercept + slope * x[i]
            return predicted
        """,
    ),
    variant(
        "np.polyval",
        """
        def predict(x, slope, intercept):
            return np.polyval([slope, intercept], x).astype(x.dtype)
        """,
    ),
    variant(
        "a table with a column of ones",
        """
        def predict(x, slope, intercept):
            table = np.stack([x, np.ones_like(x)], axis=1)
            return table @ np.array([slope, intercept], dtype=x.dtype)
        """,
    ),
    variant(
        "in place on a copy",
        """
        def predict(x, slope, intercept):
            result = x.copy()
            result *= slope
            result += intercept
            return result
        """,
    ),
)
