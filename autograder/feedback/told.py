"""What a student may read of an exercise, as JSON values: what a page shows, for other programs."""

from typing import Any

from autograder.course.reveal import Reveal
from autograder.feedback.exercise import view_of
from autograder.verdicts.verdict import ExerciseVerdict


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
