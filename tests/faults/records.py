"""What a gradebook holds, whichever database it is: marks, and whether each stands once."""

from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import NullPool, create_engine, text

# A cell's score, and whether nbgrader shows it as waiting for a person or a run.
Mark = tuple[float | None, bool]
Marks = dict[tuple[str, str, str], Mark]

GRADES = """
    select student.id, assignment.name, base_cell.name,
           grade.auto_score, grade.needs_manual_grade
    from grade
    join base_cell on base_cell.id = grade.cell_id
    join submitted_notebook on submitted_notebook.id = grade.notebook_id
    join submitted_assignment on submitted_assignment.id = submitted_notebook.assignment_id
    join assignment on assignment.id = submitted_assignment.assignment_id
    join student on student.id = submitted_assignment.student_id
"""
TABLES = ("student", "assignment", "submitted_assignment", "submitted_notebook", "grade")


@dataclass(frozen=True)
class Records:
    """A gradebook, read without nbgrader.

    Attributes:
        rows: rows by table.
        marks: by student, assignment and cell.
        doubled: cells of a submission that have more than one grade.
    """

    rows: dict[str, int]
    marks: Marks
    doubled: list[tuple[str, str, str]]


def has_new_scores(now: Records, before: Records) -> bool:
    """Whether a run has graded a submission that was not graded before."""
    return any(now.marks[name][0] is not None for name in now.marks.keys() - before.marks.keys())


def stale_scores(now: Records, before: Records, today: Records) -> list[tuple[str, str, str]]:
    """Cells whose score is an earlier version's though a run has already given new ones.

    Args:
        now: the gradebook as it is found.
        before: as it was before the run.
        today: as an undisturbed run leaves it.
    """
    if not has_new_scores(now, before):
        return []
    scores = {name: score for name, (score, _) in now.marks.items() if score is not None}
    return [name for name in scores if scores[name] != today.marks[name][0]]


def url_of(course: Path) -> str:
    """Where a course's gradebook is when its settings do not say."""
    return f"sqlite:///{course / 'gradebook.db'}"


def read(url: str) -> Records:
    """Everything in a gradebook that a grade consists of."""
    engine = create_engine(url, poolclass=NullPool, connect_args=_patience(url))
    with engine.connect() as connection:
        rows = {
            table: connection.execute(text(f"select count(*) from {table}")).scalar_one()
            for table in TABLES
        }
        grades = connection.execute(text(GRADES)).all()
    marks: Marks = {}
    doubled = []
    for student, assignment, cell, score, due in grades:
        name = (student, assignment, cell)
        if name in marks:
            doubled.append(name)
        marks[name] = (score, bool(due))
    return Records(rows, marks, doubled)


def _patience(url: str) -> dict[str, float]:
    return {"timeout": 60.0} if url.startswith("sqlite") else {}
