"""Right answers to gradient."""

from functools import partial

from autograder.bank import Variant

variant = partial(Variant, "gradient")

VARIANTS = (
    variant(
        "a loop over the points",
        """
        def gradient(x, y, slope, intercept):
            for_slope, for_intercept = 0.0, 0.0
            for xi, yi in zip(x, y):
                r = slope * xi + intercept - yi
                for_slope += 2 * r * xi / len(x)
                for_intercept += 2 * r / len(x)
            return for_slope, for_intercept
        """,
    ),
    variant(
        "a table of x and ones",
        """
        def gradient(x, y, slope, intercept):
            table = np.column_stack([x, np.ones(len(x))])
            both = 2 / len(x) * table.T @ (table @ np.array([slope, intercept]) - y)
            return both[0], both[1]
        """,
    ),
    variant(
        "a table, taken apart by tuple",
        """
        def gradient(x, y, slope, intercept):
            table = np.vstack([x, np.ones_like(x)])
            return tuple(2 * np.mean(table * (predict(x, slope, intercept) - y), axis=1))
        """,
    ),
    variant(
        "einsum and Python's numbers",
        """
        def gradient(x, y, slope, intercept):
            misses = predict(x, slope, intercept) - y
            return float(2 * np.einsum("i,i", misses, x) / x.size), float(2 * misses.mean())
        """,
    ),
    variant(
        "both equations multiplied out",
        """
        def gradient(x, y, slope, intercept):
            n = len(x)
            for_slope = 2 / n * (slope * (x @ x) + intercept * x.sum() - x @ y)
            for_intercept = 2 / n * (slope * x.sum() + n * intercept - y.sum())
            return (for_slope, for_intercept)
        """,
    ),
    variant(
        "measured minus predicted, with a minus in front, as a list",
        """
        def gradient(x, y, slope, intercept):
            error = y - (intercept + slope * x)
            return [-2 * np.average(x * error), -2 * np.average(error)]
        """,
    ),
)
