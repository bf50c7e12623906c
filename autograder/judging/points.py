"""How the points of an exercise are shared among its hidden tests: in tenths, each given once.

Nobody is marked in 37ths of a point, and a share that rounds to nothing would let a wrong answer
look like full marks. So every test that counts has a tenth at least, and the tenths add up.
"""

from collections.abc import Collection, Sequence
from fractions import Fraction

from autograder.course.points import HUNDREDTHS

TENTHS = 10
ERROR_HANDLING = Fraction(1, 20)
"""What refusing arguments that make no sense is worth of an exercise; a tenth at least."""


def share(points: float, weights: Sequence[float], errors: Collection[int] = ()) -> list[float]:
    """Split points into whole tenths, in proportion to weights.

    Hundredths take the place of tenths where an exercise has more tests than tenths, or is not
    worth whole tenths. What is left after rounding down goes to the largest remainders; of equal
    ones to the heavier test, and then to the earlier.

    Args:
        points: what the exercise is worth, in whole hundredths.
        weights: one relative weight a test, each at least 0, not all of them 0.
        errors: the places of tests of error handling, whose share is fixed; weights decide how it
            is shared among them.
    Returns:
        one number a test; they add up to `points`.
    """
    counting = [place for place, weight in enumerate(weights) if weight > 0]
    if not counting:
        raise ValueError("an exercise needs a test that carries weight")
    parts = _parts(points, len(counting))
    units = round(points * parts)
    refusing = [place for place in counting if place in errors]
    others = [place for place in counting if place not in errors]
    fixed = _for_errors(units, parts, refusing, others)
    given = _apportioned(fixed, {place: Fraction(weights[place]) for place in refusing})
    given |= _apportioned(units - fixed, {place: Fraction(weights[place]) for place in others})
    return [given.get(place, 0) / parts for place in range(len(weights))]


def _parts(points: float, tests: int) -> int:
    """Into how many parts a point is divided."""
    for parts in (TENTHS, HUNDREDTHS):
        units = round(points * parts)
        if units >= tests and abs(points * parts - units) < 1e-6:
            return parts
    raise ValueError(
        f"{points:g} points cannot be shared among {tests} tests: points are whole hundredths, and "
        "each test has one at least"
    )


def _for_errors(units: int, parts: int, refusing: Sequence[int], others: Sequence[int]) -> int:
    """The units of error handling: its share or a tenth, and one a test whatever happens."""
    if not refusing:
        return 0
    if not others:
        return units
    wanted = int(units * ERROR_HANDLING + Fraction(1, 2))
    return min(max(wanted, parts // TENTHS, len(refusing)), units - len(others))


def _apportioned(units: int, weights: dict[int, Fraction]) -> dict[int, int]:
    """Whole units in proportion to weights, one at least for each."""
    small: set[int] = set()
    while True:
        total = sum(weight for place, weight in weights.items() if place not in small)
        rest = units - len(small)
        quotas = {place: rest * w / total for place, w in weights.items() if place not in small}
        below = {place for place, quota in quotas.items() if quota < 1}
        if not below:
            break
        small |= below
    given = {place: int(quota) for place, quota in quotas.items()}
    by_remainder = sorted(quotas, key=lambda at: (given[at] - quotas[at], -weights[at], at))
    for place in by_remainder[: rest - sum(given.values())]:
        given[place] += 1
    return given | dict.fromkeys(small, 1)
