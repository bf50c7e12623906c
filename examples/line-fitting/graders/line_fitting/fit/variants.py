"""Right answers to fit."""

from functools import partial

from autograder.bank import Variant

variant = partial(Variant, "fit")

VARIANTS = (
    variant(
        "all by itself",
        """
        def fit(x, y, rate, steps):
            slope = intercept = 0.0
            errors = [np.mean(y**2)]
            for _ in range(steps):
                misses = slope * x + intercept - y
                slope -= rate * 2 * np.mean(misses * x)
                intercept -= rate * 2 * np.mean(misses)
                errors.append(np.mean((slope * x + intercept - y) ** 2))
            return slope, intercept, np.array(errors)
        """,
    ),
    variant(
        "both numbers in one array",
        """
        def fit(x, y, rate, steps):
            table, line = np.column_stack([x, np.ones_like(x)]), np.zeros(2)
            errors = np.empty(steps + 1)
            errors[0] = np.mean(y * y)
            for step in range(1, steps + 1):
                line = line - rate * 2 / len(x) * table.T @ (table @ line - y)
                errors[step] = np.mean((table @ line - y) ** 2)
            return line[0], line[1], errors
        """,
    ),
    variant(
        "a while loop, errors stacked",
        """
        def fit(x, y, rate, steps):
            a, b, done = 0, 0, 0
            errors = np.array([mean_squared_error(predict(x, a, b), y)])
            while done < steps:
                da, db = gradient(x, y, a, b)
                a, b = a - rate * da, b - rate * db
                errors = np.append(errors, mean_squared_error(predict(x, a, b), y))
                done += 1
            return (a, b, errors)
        """,
    ),
    variant(
        "the lines first, their errors afterwards",
        """
        def fit(x, y, rate, steps):
            lines = [(0.0, 0.0)]
            for _ in range(steps):
                step = np.array(gradient(x, y, *lines[-1]))
                lines.append(tuple(np.array(lines[-1]) - rate * step))
            errors = np.array([mean_squared_error(predict(x, *line), y) for line in lines])
            return *map(float, lines[-1]), errors
        """,
    ),
    variant(
        "a step calls the next",
        """
        def fit(x, y, rate, steps, slope=0.0, intercept=0.0):
            error = np.array([mean_squared_error(predict(x, slope, intercept), y)])
            if steps == 0:
                return slope, intercept, error
            ds, di = gradient(x, y, slope, intercept)
            found = fit(x, y, rate, steps - 1, slope - rate * ds, intercept - rate * di)
            return found[0], found[1], np.concatenate([error, found[2]])
        """,
    ),
)
