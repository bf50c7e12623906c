"""Right answers to mean_squared_error."""

from functools import partial

from autograder.bank import Variant

variant = partial(Variant, "mean_squared_error")

VARIANTS = (
    variant(
        "a loop",
        """
        def mean_squared_error(predicted, actual):
            total = 0.0
            for p, a in zip(predicted, actual):
                total += (p - a) ** 2
            return total / len(actual)
        """,
    ),
    variant(
        "np.square, float at the end",
        """
        def mean_squared_error(predicted, actual):
            return float(np.square(actual - predicted).mean())
        """,
    ),
    variant(
        "a dot product",
        """
        def mean_squared_error(predicted, actual):
            misses = predicted - actual
            return misses @ misses / misses.size
        """,
    ),
    variant(
        "the squared length",
        """
        def mean_squared_error(predicted, actual):
            return np.linalg.norm(predicted - actual) ** 2 / predicted.shape[0]
        """,
    ),
    variant(
        "einsum",
        """
        def mean_squared_error(predicted, actual):
            misses = predicted - actual
            return np.einsum("i,i->", misses, misses) / len(misses)
        """,
    ),
    variant(
        "a generator and fsum",
        """
        import math

        def mean_squared_error(predicted, actual):
            return math.fsum((float(p) - float(a)) ** 2 for p, a in zip(predicted, actual)) / len(
                predicted
            )
        """,
    ),
    variant(
        "np.average in double precision",
        """
        def mean_squared_error(predicted, actual):
            misses = np.asarray(predicted, dtype=np.float64) - np.asarray(actual, dtype=np.float64)
            return np.average(np.power(misses, 2))
        """,
    ),
    variant(
        "spread and middle of the misses",
        """
        def mean_squared_error(predicted, actual):
            misses = predicted - actual
            return np.var(misses) + np.mean(misses) ** 2
        """,
    ),
)
