"""The JSON that `autograder grade --json` writes: a contract with the programs that read it."""

from collections.abc import Callable, Iterable, Sequence
from operator import attrgetter
from typing import Any

from autograder.verdicts.attempted import is_untouched
from autograder.verdicts.totals import ExerciseTotal, SubmissionTotal
from autograder.verdicts.verdict import GRADER_ERROR, ExerciseVerdict, SubmissionVerdict

SCHEMA = 2

Told = Callable[[ExerciseVerdict], dict[str, Any]]
Message = Callable[[ExerciseVerdict], str | None]


def as_contract(
    verdicts: Sequence[SubmissionVerdict],
    totals: Sequence[SubmissionTotal],
    device: str,
    told: Told | None = None,
    message: Message = attrgetter("told"),
) -> dict[str, Any]:
    """The whole run as JSON values.

    Args:
        verdicts: one a submission.
        totals: what counts of each, in the same order.
        device: where graders ran.
        told: what a student may read of an exercise, as JSON values; left out where not given.
        message: what is said of an exercise in one text; None where no points are lost.
    """
    return {
        "schema": SCHEMA,
        "sandbox": sandbox_of(verdicts),
        "device": device,
        "submissions": [
            _submission(verdict, total, told, message)
            for verdict, total in zip(verdicts, totals, strict=True)
        ],
    }


def sandbox_of(verdicts: Iterable[SubmissionVerdict]) -> str:
    """What held the students' code when these verdicts were computed, now or earlier."""
    names = {one.sandbox for verdict in verdicts for one in verdict.exercises}
    return ", ".join(sorted(names - {""})) or "unused"  # a written answer needs none


def _submission(
    verdict: SubmissionVerdict, total: SubmissionTotal, told: Told | None, message: Message
) -> dict[str, Any]:
    graded = verdict.status == "graded"
    return {
        "student": verdict.student,
        "assignment": verdict.assignment,
        "status": verdict.status,
        "reason": verdict.reason,
        "detail": verdict.detail,
        "score": total.score if graded else None,
        "max_score": verdict.max_points if graded else None,
        "pending_points": total.pending_points if graded else None,
        "auto_score": total.auto_score if graded else None,
        "manual_score": total.manual_score,
        "extra_credit": total.extra_credit,
        "late_penalty": total.late_penalty,
        "notes": list(verdict.notes),
        "stopped": [
            {
                "cell": stop.cell,
                "line": stop.line,
                "error": stop.says or None,
                "missing": stop.missing or None,
                "exercises": names,
            }
            for stop, names in verdict.stops.items()
        ],
        "seconds": round(verdict.seconds, 2),  # coarse: finer times would tell hidden work apart
        "exercises": {
            one.exercise: _exercise(one, total.exercises[one.exercise], message(one))
            | ({"feedback": told(one)} if told else {})
            for one in verdict.exercises
        },
    }


def _exercise(
    verdict: ExerciseVerdict, total: ExerciseTotal, message: str | None
) -> dict[str, Any]:
    return {
        "score": total.score,
        "max_score": verdict.max_points,
        "pending_points": total.pending_points,
        "auto_score": total.auto_score,
        "manual_score": total.manual_score,
        "extra_credit": total.extra_credit,
        "bonus": verdict.bonus,
        "attempted": not is_untouched(verdict),
        "status": "ungraded" if verdict.reason == GRADER_ERROR else "graded",
        "reason": verdict.reason,
        "detail": verdict.detail,
        "misconception": verdict.misconceptions[0] if verdict.misconceptions else None,
        "misconceptions": list(verdict.misconceptions),
        "message": message,
        "remarks": [vars(remark) for remark in verdict.remarks],
        "ruling": verdict.ruling,
        "tests": [
            {
                "name": test.name,
                "claim": test.claim,
                "outcome": test.outcome,
                "points": test.points,
                "device": test.device,
                "symptom": test.symptom,
                "remark": test.remark,
            }
            for test in verdict.tests
        ],
    }
