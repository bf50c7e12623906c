"""Points and lines for hidden tests and probes."""

import numpy as np

from autograder.judging.draw import Draw


def points(draw: Draw, count: int) -> tuple[np.ndarray, np.ndarray]:
    """Points on both sides of a line whose slope and intercept are not near 0 or each other."""
    x = draw.array(count) + 0.6
    y = 1.7 * x - 2.9 + draw.array(count) + draw.array(1, scale=0.3)
    return x, y


def line(draw: Draw) -> tuple[float, float]:
    """A slope and an intercept, each of its own size and sign."""
    first, second = draw.array(2)
    return 2.3 + 0.4 * float(first), -4.7 + 0.6 * float(second)
