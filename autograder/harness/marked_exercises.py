"""What a submission's entry in the JSON of `autograder grade` says of each exercise.

Platforms have no place for points that wait, and some none for half points or a bonus: what a
module here makes of these is its own, and all begin with this.
"""

from dataclasses import dataclass
from typing import Any

from autograder.course.points import HUNDREDTHS
from autograder.harness.told import as_lines, not_a_notebook, not_passed, told_of, waits
from autograder.notebooks.choosing import REASONS
from autograder.verdicts.verdict import GRADER_ERROR


class NoMark(Exception):
    """A fault of ours: there is no mark, and nothing may look like one."""


class NotGradable(Exception):
    """What was handed in cannot be graded; the text is for the student."""


@dataclass(frozen=True)
class MarkedExercise:
    """How one exercise was marked.

    Attributes:
        name: the exercise's.
        score: points earned.
        decided: points that could be earned by now: the maximum but for what waits.
        waiting: points that a person or a device has still to give.
        bonus: whether its points count on top.
        told: what the student reads, a paragraph each; empty at full marks.
    """

    name: str
    score: float
    decided: float
    waiting: float
    bonus: bool
    told: tuple[str, ...]

    @property
    def is_full(self) -> bool:
        """Whether all was earned that could be by now, and something could."""
        return 0 < self.decided <= self.score


def marked_exercises(submission: dict[str, Any]) -> list[MarkedExercise]:
    """The exercises of one submission, in the notebook's order.

    Args:
        submission: its entry in the JSON of `autograder grade`.
    Raises:
        NotGradable: it could not be graded for a reason of its own.
        NoMark: it, or one of its exercises, could not be judged through a fault of ours.
    """
    if submission["reason"] in REASONS:  # all others are faults of ours
        raise NotGradable(" ".join(as_lines(not_a_notebook(submission))))
    if submission["reason"]:
        raise NoMark("Grading failed by itself.")
    exercises = submission["exercises"]
    broken = [name for name, one in exercises.items() if one["reason"] == GRADER_ERROR]
    if broken:
        raise NoMark(f"Judging {', '.join(broken)} failed by itself.")
    return [_marked(name, one) for name, one in exercises.items()]


def hundredths(number: float) -> int:
    """Points as a whole number of hundredths, which all points are.

    Raises:
        NoMark: these are not.
    """
    scaled = round(number * HUNDREDTHS)
    if abs(number * HUNDREDTHS - scaled) > 1e-6:
        raise NoMark(f"{number} points are no whole hundredths.")
    return scaled


def _marked(name: str, exercise: dict[str, Any]) -> MarkedExercise:
    waiting = exercise["pending_points"]
    decided = round(exercise["max_score"] - waiting, 4)
    return MarkedExercise(
        name=name,
        score=exercise["score"],
        decided=decided,
        waiting=waiting,
        bonus=exercise["bonus"],
        told=tuple(_told(exercise)),
    )


def _told(exercise: dict[str, Any]) -> list[str]:
    """What the student is told of it, the claims that do not hold, and what waits."""
    told = told_of(exercise)
    checks = exercise["feedback"]["checks"]
    if not told or any(check["outcome"] == "passed" for check in checks):  # else that is all of it
        told += not_passed(exercise)
    if exercise["pending_points"]:
        told.append(waits(exercise, exercise["pending_points"]))
    return as_lines(told)
