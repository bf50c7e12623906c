"""Points as figures: whole hundredths, whose sums are exact to the last digit that is printed."""

from collections.abc import Iterable

HUNDREDTHS = 100


def are_points(number: float) -> bool:
    """Whether a number is one that points can be: whole hundredths above 0."""
    return number > 0 and abs(number * HUNDREDTHS - round(number * HUNDREDTHS)) < 1e-6


def added(points: Iterable[float]) -> float:
    """The sum of points."""
    return sum(round(one * HUNDREDTHS) for one in points) / HUNDREDTHS
