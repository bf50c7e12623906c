"""Right answers to normal_equation."""

from functools import partial

from autograder.bank import Variant

variant = partial(Variant, "normal_equation")

VARIANTS = (
    variant(
        "np.polyfit",
        """
        def normal_equation(x, y):
            if len(set(x.tolist())) < 2:
                raise ValueError("all x are equal")
            slope, intercept = np.polyfit(x, y, deg=1)
            return slope, intercept
        """,
    ),
    variant(
        "np.linalg.lstsq and its rank",
        """
        def normal_equation(x, y):
            table = np.vstack([x, np.ones(len(x))]).T
            line, _, rank, _ = np.linalg.lstsq(table, y, rcond=None)
            if rank < 2:
                raise ValueError(f"all x are {x[0]}")
            return float(line[0]), float(line[1])
        """,
    ),
    variant(
        "the two equations, solved as a table",
        """
        def normal_equation(x, y):
            if np.all(x == x[0]):
                raise ValueError("all x are equal")
            table = np.array([[np.mean(x * x), np.mean(x)], [np.mean(x), 1.0]])
            return tuple(np.linalg.solve(table, np.array([np.mean(x * y), np.mean(y)])))
        """,
    ),
    variant(
        "an inverse",
        """
        def normal_equation(x, y):
            if x.max() == x.min():
                raise ValueError("all x are equal")
            A = np.c_[np.ones(x.size), x]
            intercept, slope = np.linalg.inv(A.T @ A) @ A.T @ y
            return slope, intercept
        """,
    ),
    variant(
        "sums in a loop",
        """
        def normal_equation(x, y):
            n, sx, sy, sxx, sxy = len(x), 0.0, 0.0, 0.0, 0.0
            for a, b in zip(x - x[0], y):
                sx, sy, sxx, sxy = sx + a, sy + b, sxx + a * a, sxy + a * b
            below = n * sxx - sx * sx
            if below == 0:
                raise ValueError("there is no best line")
            slope = (n * sxy - sx * sy) / below
            return slope, (sy - slope * sx) / n - slope * x[0]
        """,
    ),
    variant(
        "covariance over variance, both by n - 1",
        """
        def normal_equation(x, y):
            table = np.cov(x, y)
            if np.unique(x).size == 1:
                raise ValueError("all x are equal")
            slope = table[0, 1] / table[0, 0]
            return slope, y.mean() - slope * x.mean()
        """,
    ),
    variant(
        "the pseudo-inverse, as a list",
        """
        def normal_equation(x, y):
            assert_two(x)
            return list(np.linalg.pinv(np.column_stack([x, np.ones_like(x)])) @ y)

        def assert_two(x):
            if not np.any(x != x[0]):
                raise ValueError("all x are equal")
        """,
    ),
    variant(
        "NumPy's newer polynomials",
        """
        def normal_equation(x, y):
            if np.ptp(x) == 0:
                raise ValueError("all x are equal")
            intercept, slope = np.polynomial.Polynomial.fit(x, y, 1).convert().coef
            return slope, intercept
        """,
    ),
)
