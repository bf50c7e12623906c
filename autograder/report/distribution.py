"""How the marks of an assignment are spread over the class."""

from dataclasses import dataclass

import numpy as np

from autograder.report.class_table import ClassTable

STEPS = 10  # of a tenth each


@dataclass(frozen=True)
class Distribution:
    """Totals as parts (0 to 1) of the points that are decided, late penalties taken off.

    Attributes:
        n: how many submissions.
        mean: None where there is none.
        spread: the standard deviation; None for fewer than two.
        quartiles: lowest, lower quartile, median, upper quartile, highest; empty where n is 0.
        tenths: how many lie in each tenth, the highest tenth with all that is above.
        points: the mean in points.
        max_points: what the assignment is worth.
    """

    n: int
    mean: float | None
    spread: float | None
    quartiles: tuple[float, ...]
    tenths: tuple[int, ...]
    points: float | None
    max_points: float


def distribution_of(table: ClassTable) -> Distribution:
    """How the totals of one assignment are spread."""
    most = table.assignment.max_points
    totals = [one.total for one in table.standings if one.total is not None]
    # Points of a bonus that wait take nothing off the maximum.
    bonus = {one.name for one in table.assignment.exercises if one.bonus}
    waiting = [
        sum(it.pending_points for name, it in one.exercises.items() if name not in bonus)
        for one in totals
    ]
    decided = most - np.array(waiting, dtype=float)
    scores = np.array([one.score for one in totals], dtype=float)
    scores, decided = scores[decided > 0], decided[decided > 0]
    parts = scores / decided
    counted, _ = np.histogram(parts.clip(0, 1), bins=STEPS, range=(0, 1))
    return Distribution(
        n=parts.size,
        mean=float(parts.mean()) if parts.size else None,
        spread=float(parts.std(ddof=1)) if parts.size > 1 else None,
        quartiles=tuple(map(float, np.quantile(parts, (0, 0.25, 0.5, 0.75, 1))))
        if parts.size
        else (),
        tenths=tuple(map(int, counted)),
        points=float(scores.mean()) if parts.size else None,
        max_points=most,
    )
