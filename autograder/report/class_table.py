"""Every answer of an assignment as tables: a row a submission, a column an exercise."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from autograder.course import Assignment
from autograder.marks import Finding, Standing


@dataclass(frozen=True)
class ClassTable:
    """The graded submissions of one assignment.

    Attributes:
        assignment: the assignment.
        standings: the graded ones; row i of each table is the i-th of them.
    """

    assignment: Assignment
    standings: Sequence[Standing]

    def findings(self, exercise: str) -> list[tuple[Standing, Finding]]:
        """What was found in each answer to an exercise, where that is known."""
        all_of_them = ((one, (one.findings or {}).get(exercise)) for one in self.standings)
        return [(one, finding) for one, finding in all_of_them if finding is not None]

    @cached_property
    def earned(self) -> np.ndarray:
        """Points that count, without extra credit; NaN where the gradebook has no such cell."""
        return self._table(lambda total, _: total.score - total.extra_credit)

    @cached_property
    def decided(self) -> np.ndarray:
        """Points that could be earned so far: all but those that wait."""
        return self._table(lambda total, most: most - total.pending_points)

    @cached_property
    def tried(self) -> np.ndarray:
        """Whether anything was handed in for it; True where only points tell so."""
        rows = [
            [
                (one.findings or {})[name].attempted if name in (one.findings or {}) else earned > 0
                for name, earned in zip(self._names, row, strict=True)
            ]
            for one, row in zip(self.standings, self.earned, strict=True)
        ]
        return np.array(rows, dtype=bool).reshape(self._shape)

    @cached_property
    def shares(self) -> np.ndarray:
        """The part of the decided points that was earned; NaN where nothing is decided."""
        share = np.full(self._shape, np.nan)
        return np.divide(self.earned, self.decided, out=share, where=self.decided > 0)

    @property
    def _names(self) -> list[str]:
        return [one.name for one in self.assignment.exercises]

    @property
    def _shape(self) -> tuple[int, int]:
        return len(self.standings), len(self._names)

    def _table(self, value) -> np.ndarray:  # type: ignore[no-untyped-def]
        rows = []
        for one in self.standings:
            totals = one.total.exercises if one.total else {}
            rows.append(
                [
                    value(totals[item.name], item.points) if item.name in totals else np.nan
                    for item in self.assignment.exercises
                ]
            )
        return np.array(rows, dtype=float).reshape(self._shape)
