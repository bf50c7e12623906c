"""Marks as tidy CSV, for spreadsheets and notebooks: one row a student and exercise, or a student.

RFC 4180, UTF-8. A text that a spreadsheet would take for a formula gets an apostrophe in front;
numbers are left as they are.
"""

import csv
import io
from collections.abc import Iterable, Sequence

from autograder.checks.kit.plain_text import plain
from autograder.course.points import added
from autograder.export.marks import Mark
from autograder.export.numbers import written

# What begins a formula; a tab or a line end hides one, and the wide forms count in East Asia.
FORMULAS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
PERSON = ("student", "name", "email", "section", "submitted_by")
BY_EXERCISE = (
    *PERSON,
    "assignment",
    "exercise",
    "kind",
    "bonus",
    "status",
    "score",
    "max_score",
    "pending_points",
    "auto_score",
    "manual_score",
    "extra_credit",
)


def by_exercise(marks: Iterable[Mark]) -> str:
    """One row a student and exercise; a late penalty is no exercise's, and stands in `by_student`.

    Scores are empty where nothing is exported: of missing and excused students, and of whole
    submissions that were left out because points are pending.
    """
    rows = []
    for mark in marks:
        for exercise in mark.assignment.exercises:
            total = mark.exercises.get(exercise.name)
            shown = total if mark.left_out is None else None
            untold = 0.0 if mark.left_out is None else None
            numbers = (
                shown.score if shown else untold,
                exercise.points,
                total.pending_points if total else _all_pending(mark, exercise.points),
                shown.auto_score if shown else None,
                shown.manual_score if shown else None,
                shown.extra_credit if shown else None,
            )
            rows.append(
                [
                    *_person(mark),
                    mark.assignment.name,
                    exercise.name,
                    exercise.kind,
                    "yes" if exercise.bonus else "no",
                    mark.status,
                    *map(_number, numbers),
                ]
            )
    return _as_csv(BY_EXERCISE, rows)


def by_student(marks: Sequence[Mark]) -> str:
    """One row a student: for each assignment status, score, maximum and penalty; then the sum.

    The sum leaves out assignments without a score, and their maximum with them.
    """
    names = list(dict.fromkeys(one.assignment.name for one in marks))
    theirs: dict[str, dict[str, Mark]] = {}
    for mark in marks:
        theirs.setdefault(mark.person.id, {})[mark.assignment.name] = mark
    header = [*PERSON[:-1]]
    for name in names:
        header += [f"{name} {what}" for what in ("status", "score", "max_score", "late_penalty")]
    rows = []
    for mine in theirs.values():
        row = list(_person(next(iter(mine.values())))[:-1])
        for name in names:
            row += _in_one_row(mine.get(name))
        counted = [one for one in mine.values() if one.score is not None]
        row.append(_number(round(sum(one.score or 0.0 for one in counted), 4)))
        row.append(_number(added(one.assignment.max_points for one in counted)))
        rows.append(row)
    return _as_csv([*header, "score", "max_score"], rows)


def _in_one_row(mark: Mark | None) -> list[str]:
    if mark is None:
        return [""] * 4
    penalty = mark.standing.total.late_penalty if mark.standing.total else None
    numbers = (mark.score, mark.assignment.max_points, penalty if mark.left_out is None else None)
    return [mark.status, *map(_number, numbers)]


def _person(mark: Mark) -> list[str]:
    person = mark.person
    texts = (person.id, person.name, person.email, person.section, mark.standing.student)
    return [_neutral(text) for text in texts]


def _all_pending(mark: Mark, points: float) -> float:
    return points if mark.status == "ungraded" else 0.0


def _number(points: float | None) -> str:
    return "" if points is None else written(points)


def _neutral(text: str) -> str:
    """A text of which all is seen, and that no spreadsheet takes for a formula."""
    return plain(f"'{text}" if text.startswith(FORMULAS) else text)


def _as_csv(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(header)
    writer.writerows(rows)
    return file.getvalue()
