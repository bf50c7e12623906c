"""What a submission's entry in the JSON of `autograder grade` says of each exercise, in words.

Platforms have no place for points that wait, and some none for half points or a bonus: what a
module here makes of these is its own, and all begin with this.
"""

from dataclasses import dataclass
from typing import Any

from autograder.course.points import HUNDREDTHS
from autograder.feedback.reasons import reason_of
from autograder.feedback.words import bounded, points
from autograder.verdicts.verdict import GRADER_ERROR

OURS = (GRADER_ERROR, "grader_crashed", "not_written")
"""Why a submission has no mark, where the reason is no fault of the student's."""

LEFT_OUT = ("missing_cell", "not_attempted")
LONGEST_DETAIL = 300


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
    if submission["reason"] in OURS:
        raise NoMark("Grading failed by itself.")
    if submission["reason"]:
        why = "What was handed in could not be graded"
        detail = bounded(submission["detail"] or "", LONGEST_DETAIL).rstrip(".")
        raise NotGradable(f"{why}: {detail}." if detail else f"{why}.")
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
    """The message, why it ended early, the claims that do not hold, and what waits."""
    told = [exercise["message"]] if exercise["message"] else []
    if exercise["bonus"] and not exercise["score"] and exercise["reason"] in LEFT_OUT:
        return [reason_of("left_out").sentence]
    if exercise["reason"]:
        reason = reason_of(exercise["reason"])
        told.append(f"{reason.sentence} {reason.advice}")
    tests = exercise["tests"]
    if not told or any(test["outcome"] == "passed" for test in tests):  # else that is all of it
        told += [f"Not passed: {test['claim']}" for test in tests if test["outcome"] == "failed"]
    if exercise["pending_points"]:
        told.append(
            f"{points(exercise['pending_points'])} of this wait for a person, or for a machine "
            "that this check needs, and count neither way yet."
        )
    return told
