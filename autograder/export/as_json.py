"""Marks as JSON: a contract with the programs that read it, whose fields are never renamed."""

from collections.abc import Sequence
from typing import Any

from autograder.course.assignments import Assignment
from autograder.export.marks import Mark
from autograder.verdicts.totals import ExerciseTotal

SCHEMA = 1


def as_json(course_id: str, marks: Sequence[Mark]) -> dict[str, Any]:
    """Every mark, one a student and assignment, as JSON values.

    `score` is what to count; it is null where nothing is exported, and `left_out` says why.
    """
    assignments = {one.assignment.name: one.assignment for one in marks}
    return {
        "schema": SCHEMA,
        "course": course_id,
        "assignments": [_assignment(one) for one in assignments.values()],
        "marks": [_mark(one) for one in marks],
    }


def _assignment(one: Assignment) -> dict[str, Any]:
    return {
        "assignment": one.name,
        "max_score": one.max_points,
        "bonus_points": one.bonus_points,
        "exercises": [
            {
                "exercise": exercise.name,
                "kind": exercise.kind,
                "max_score": exercise.points,
                "bonus": exercise.bonus,
            }
            for exercise in one.exercises
        ],
    }


def _mark(mark: Mark) -> dict[str, Any]:
    standing = mark.standing
    total = standing.total
    return {
        "student": mark.person.id,
        "name": mark.person.name,
        "email": mark.person.email,
        "section": mark.person.section,
        "submitted_by": standing.student,
        "assignment": standing.assignment,
        "status": mark.status,
        "reason": standing.reason,
        "left_out": mark.left_out,
        "score": mark.score,
        "max_score": mark.assignment.max_points,
        "pending_points": mark.pending_points,
        "auto_score": total.auto_score if total else None,
        "manual_score": total.manual_score if total else None,
        "extra_credit": total.extra_credit if total else None,
        "late_penalty": total.late_penalty if total else None,
        "handed_in": standing.handed_in.isoformat() if standing.handed_in else None,
        "due": standing.due.isoformat() if standing.due else None,
        "exercises": {name: _exercise(one) for name, one in mark.exercises.items()},
    }


def _exercise(total: ExerciseTotal) -> dict[str, Any]:
    return {
        "score": total.score,
        "auto_score": total.auto_score,
        "manual_score": total.manual_score,
        "extra_credit": total.extra_credit,
        "pending_points": total.pending_points,
    }
