"""Points as figures: whole hundredths, whose sums are exact to the last digit that is printed."""

from collections.abc import Iterable

HUNDREDTHS = 100

# Stands above a bonus. No other exercise in code says its points, which the start page adds up.
BONUS = (
    "*A bonus, worth {points} on top of the notebook's total. It is optional, and you lose nothing "
    "by leaving it out.*"
)


def are_points(number: float) -> bool:
    """Whether a number is one that points can be: whole hundredths above 0."""
    return number > 0 and abs(number * HUNDREDTHS - round(number * HUNDREDTHS)) < 1e-6


def added(points: Iterable[float]) -> float:
    """The sum of points."""
    return sum(round(one * HUNDREDTHS) for one in points) / HUNDREDTHS
