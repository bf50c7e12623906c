"""What grading found, short, and kept: thousands of verdicts need not be read for every report.

A verdict never changes under its identity, so that what is kept is never stale.
"""

import json
import os
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from autograder.course import Course
from autograder.course.locks import locked
from autograder.course.points import added
from autograder.verdicts.attempted import is_untouched
from autograder.verdicts.verdict import ExerciseVerdict, SubmissionVerdict
from autograder.verdicts.verdict_store import VerdictStore, key_in

VERSION = 3


@dataclass(frozen=True)
class Finding:
    """What grading found in one exercise of one submission.

    Attributes:
        max_points: what the exercise is worth, pending tests included.
        score: what grading gave by itself.
        pending_points: what a device or a person has still to give.
        bonus: whether its points count on top.
        attempted: whether anything was handed in for it.
        reason: a code where the student's process died, or judging failed; else None.
        detail: more about the reason.
        misconceptions: slugs of the known mistakes that the answer behaves like.
        message: what the student reads; None at full marks.
        failed: the hidden tests that it fails, by name, with the aspect of each.
        waits_for: what tests wait for: devices, or `person`.
        answered: the answer to a quiz question; None where there is none.
        aspects: points earned, and points that there were, by aspect; what waits is in neither.
        stops: what stopped the notebook above, where that is why the answer fails: what, and where.
    """

    max_points: float
    score: float
    pending_points: float
    bonus: bool
    attempted: bool
    reason: str | None
    detail: str | None
    misconceptions: tuple[str, ...]
    message: str | None
    failed: Mapping[str, str]
    waits_for: tuple[str, ...]
    answered: str | None
    aspects: Mapping[str, tuple[float, float]]
    stops: tuple[tuple[str, str], ...] = ()


def finding_of(verdict: ExerciseVerdict) -> Finding:
    """A verdict, short."""
    waiting = dict.fromkeys(test.device for test in verdict.tests if test.outcome == "pending")
    return Finding(
        max_points=verdict.max_points,
        score=verdict.score,
        pending_points=verdict.pending_points,
        bonus=verdict.bonus,
        attempted=not is_untouched(verdict),
        reason=verdict.reason,
        detail=verdict.detail,
        misconceptions=verdict.misconceptions,
        message=verdict.told,
        failed={
            test.name: test.aspect
            for test in verdict.tests
            if test.outcome in ("failed", "error") and not test.remark
        },
        waits_for=tuple(waiting),
        answered=verdict.answered,
        aspects=_aspects(verdict),
        # Without the cell's number: the same verdict stands for notebooks that number differently.
        stops=tuple((stop.what, replace(stop, cell=None).where()) for stop in verdict.stops),
    )


def _aspects(verdict: ExerciseVerdict) -> dict[str, tuple[float, float]]:
    found: dict[str, tuple[float, float]] = {}
    for test in verdict.tests:
        if test.aspect and test.points and test.outcome != "pending":
            earned, points = found.get(test.aspect, (0.0, 0.0))
            got = test.points if test.outcome == "passed" else 0.0
            found[test.aspect] = added((earned, got)), added((points, test.points))
    return found


class Findings:
    """The findings of one assignment, by the identity of their verdicts.

    Args:
        course: the course.
        assignment: the assignment's name.
    """

    def __init__(self, course: Course, assignment: str) -> None:
        self._course, self._assignment = course, assignment
        self._path = course.root / ".autograder" / "findings" / f"{assignment}.json"
        self._store = VerdictStore(course.root / ".autograder" / "verdicts")
        self._found: dict[str, Finding] = {}
        self._refused: dict[str, tuple[str, str | None]] = {}
        self._read()
        self._new = False

    def find(self, identity: str) -> Finding | None:
        """The finding of that identity; None where its verdict was not kept."""
        if identity not in self._found:
            verdict = self._store.find(key_in(identity))
            if verdict is None:
                return None
            self._found[identity] = finding_of(verdict)
            self._new = True
        return self._found[identity]

    def why_ungraded(self, student: str) -> tuple[str, str | None] | None:
        """The reason, and more about it, that the last run gave for a submission; or None."""
        return self._refused.get(student)

    def learn(
        self, verdicts: Iterable[SubmissionVerdict], identities: Mapping[str, Mapping[str, str]]
    ) -> None:
        """Take what a run has found, of which the store keeps only a part.

        Args:
            verdicts: the run's, on this assignment.
            identities: of each student the identities of the verdicts, by exercise.
        """
        for verdict in verdicts:
            self._refused.pop(verdict.student, None)
            if verdict.reason is not None:
                self._refused[verdict.student] = (verdict.reason, verdict.detail)
            named = identities.get(verdict.student, {})
            for one in verdict.exercises:
                if one.exercise in named:
                    self._found[named[one.exercise]] = finding_of(one)
        self._new = True

    def keep(self, used: Iterable[str]) -> None:
        """Write what is new, without findings that no submission has any more."""
        wanted = set(used)
        if not self._new:
            return
        with locked(self._course.root, f"findings of {self._assignment}"):
            data = {
                "version": VERSION,
                "found": {key: asdict(one) for key, one in self._found.items() if key in wanted},
                "refused": self._refused,
            }
            self._path.parent.mkdir(parents=True, exist_ok=True)
            handle, unfinished = tempfile.mkstemp(dir=self._path.parent)
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                json.dump(data, file)
            Path(unfinished).replace(self._path)
        self._new = False

    def _read(self) -> None:
        try:
            data = json.loads(self._path.read_bytes())
            if data["version"] != VERSION:
                return
            self._found = {key: _finding(one) for key, one in data["found"].items()}
            self._refused = {key: (why, more) for key, (why, more) in data["refused"].items()}
        except (OSError, ValueError, KeyError, TypeError):
            return  # it is made again


def _finding(data: dict) -> Finding:
    for name in ("misconceptions", "waits_for"):
        data[name] = tuple(data[name])
    data["stops"] = tuple((what, where) for what, where in data["stops"])
    data["aspects"] = {name: tuple(points) for name, points in data["aspects"].items()}
    return Finding(**data)
