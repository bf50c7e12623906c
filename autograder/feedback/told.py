"""What a student may read of an exercise, as JSON values: what a page shows, for other programs."""

from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from tomllib import TOMLDecodeError
from typing import Any

from autograder.checks.kit.hinting import read_ladders
from autograder.checks.kit.showing import without_marks
from autograder.course.layout import hints_file
from autograder.course.reveal import Reveal
from autograder.feedback.exercise import CENT, in_short, view_of
from autograder.verdicts.attempted import is_left_out
from autograder.verdicts.verdict import ExerciseVerdict, SubmissionVerdict


def message_of(verdict: ExerciseVerdict) -> str | None:
    """What cost points, in one text: the verdict's own words, or why there are none.

    Returns:
        None where no points are lost.
    """
    settled = verdict.score + verdict.pending_points > verdict.max_points - CENT
    if verdict.told or settled or is_left_out(verdict):
        return verdict.told
    view = view_of(verdict, Reveal())
    untried = view.reason.sentence if view.reason and view.marks.mood == "untried" else None
    return in_short(view)[0] or untried


def with_hints(root: Path, verdict: SubmissionVerdict) -> SubmissionVerdict:
    """The verdict with a hint for every mistake without one: the first of the notebook's own.

    Args:
        root: the course's folder.
        verdict: what grading found.
    """
    mildest = _mildest(hints_file(root, verdict.assignment))

    def hinted(one: ExerciseVerdict) -> ExerciseVerdict:
        is_plain = one.message and not one.hint and not one.reason and not one.stops
        return replace(one, hint=mildest.get(one.exercise) if is_plain else one.hint)

    return replace(verdict, exercises=tuple(map(hinted, verdict.exercises)))


@lru_cache(64)
def _mildest(path: Path) -> dict[str, str]:
    """The first hint of each ladder in a file; none where it cannot be read, as `release` says."""
    try:
        ladders = read_ladders(path)
    except (OSError, TOMLDecodeError):
        return {}
    return {exercise: without_marks(rungs[0]) for exercise, rungs in ladders.items() if rungs[0]}


def as_told(verdict: ExerciseVerdict, reveal: Reveal) -> dict[str, Any]:
    """What the page's fragment says; texts are bounded, none is escaped.

    Args:
        verdict: what grading found.
        reveal: what is shown beside the marks.
    Returns:
        the state in a few words and its mood; what awaits points; why checking stopped and what to
        do; the cell's error; what is ruled on a question; the message, the symptom, remarks and the
        hint; and `checks`: claim, outcome, earned, points, symptom, device. Texts that there are
        none of are None.
    """
    view = view_of(verdict, reveal)
    return {
        "state": view.state,
        "mood": view.marks.mood,
        "waits_for": view.awaited if view.marks.pending else None,
        "reason": view.reason.sentence if view.reason else None,
        "advice": view.reason.advice if view.reason else None,
        "error": f"{view.error_sentence} {view.error}" if view.error else None,
        "answered": view.answered,
        "ruling": view.ruling,
        "message": view.message,
        "symptom": view.symptom,
        "remarks": list(view.remarks),
        "hint": view.hint,
        "checks": [vars(row) for row in view.rows],
    }
