"""The JSON that `autograder grade --json` writes: a contract with the programs that read it."""

from collections.abc import Iterable, Sequence
from typing import Any

from autograder.verdicts.verdict import GRADER_ERROR, ExerciseVerdict, SubmissionVerdict

SCHEMA = 1


def as_contract(verdicts: Sequence[SubmissionVerdict], device: str) -> dict[str, Any]:
    """The whole run as JSON values."""
    return {
        "schema": SCHEMA,
        "sandbox": sandbox_of(verdicts),
        "device": device,
        "submissions": [_submission(verdict) for verdict in verdicts],
    }


def sandbox_of(verdicts: Iterable[SubmissionVerdict]) -> str:
    """What held the students' code when these verdicts were computed, now or earlier."""
    names = {one.sandbox for verdict in verdicts for one in verdict.exercises}
    return ", ".join(sorted(names - {""})) or "unused"  # a written answer needs none


def _submission(verdict: SubmissionVerdict) -> dict[str, Any]:
    graded = verdict.status == "graded"
    return {
        "student": verdict.student,
        "assignment": verdict.assignment,
        "status": verdict.status,
        "reason": verdict.reason,
        "detail": verdict.detail,
        "score": verdict.score if graded else None,
        "max_score": verdict.max_score if graded else None,
        "seconds": round(verdict.seconds, 2),  # coarse: finer times would tell hidden work apart
        "exercises": {one.exercise: _exercise(one) for one in verdict.exercises},
    }


def _exercise(verdict: ExerciseVerdict) -> dict[str, Any]:
    return {
        "score": verdict.score,
        "max_score": verdict.max_score,
        "pending_points": verdict.pending_points,
        "bonus": verdict.bonus,
        "status": "ungraded" if verdict.reason == GRADER_ERROR else "graded",
        "reason": verdict.reason,
        "detail": verdict.detail,
        "misconception": verdict.misconceptions[0] if verdict.misconceptions else None,
        "misconceptions": list(verdict.misconceptions),
        "message": verdict.message,
        "tests": [
            {
                "name": test.name,
                "outcome": test.outcome,
                "points": round(test.points, 4),
                "device": test.device,
            }
            for test in verdict.tests
        ],
    }
