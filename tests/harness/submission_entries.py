"""Entries of the JSON of `autograder grade`, for tests of what a platform is told of them."""

from typing import Any


def exercise(score: float, maximum: float, **fields: Any) -> dict[str, Any]:
    """One exercise's entry; what is not said is as of an answer that was judged without a word.

    What its feedback says is given as `feedback`, in the fields of `feedback.told`.
    """
    texts = ("reason", "advice", "error", "answered", "message", "symptom", "hint", "waits_for")
    feedback = dict.fromkeys(texts) | {"remarks": [], "checks": []} | fields.pop("feedback", {})
    return {
        "score": score,
        "max_score": maximum,
        "pending_points": 0.0,
        "bonus": False,
        "status": "graded",
        "reason": None,
        "detail": None,
        "tests": [],
        "feedback": feedback,
    } | fields


def submission(**exercises: dict[str, Any]) -> dict[str, Any]:
    """One submission's entry, whose points are those of its exercises."""
    counted = [one for one in exercises.values() if not one["bonus"]]
    return {
        "student": "ada",
        "assignment": "01-line-fitting",
        "status": "graded",
        "reason": None,
        "detail": None,
        "score": round(sum(one["score"] for one in exercises.values()), 4),
        "max_score": round(sum(one["max_score"] for one in counted), 4),
        "pending_points": round(sum(one["pending_points"] for one in exercises.values()), 4),
        "exercises": exercises,
    }


def ungraded(reason: str, detail: str) -> dict[str, Any]:
    """The entry of a submission that has no mark."""
    marks = {"score": None, "max_score": None, "pending_points": None}
    return submission() | {"status": "ungraded", "reason": reason, "detail": detail} | marks


def claimed(claim: str, outcome: str) -> dict[str, Any]:
    """One claim, as feedback tells it."""
    return {"claim": claim, "outcome": outcome, "points": 1.0, "device": None, "symptom": None}
