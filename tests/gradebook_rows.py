"""Every grade in a gradebook, read without nbgrader: what several rooms' tests compare."""

from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import NullPool, create_engine, text

QUERY = """
    select student.id as student, assignment.name as assignment, base_cell.name as cell,
           grade.auto_score as score, grade.needs_manual_grade as due,
           grade_cells.max_score as worth
    from grade
    join base_cell on base_cell.id = grade.cell_id
    join grade_cells on grade_cells.id = grade.cell_id
    join submitted_notebook on submitted_notebook.id = grade.notebook_id
    join submitted_assignment on submitted_assignment.id = submitted_notebook.assignment_id
    join assignment on assignment.id = submitted_assignment.assignment_id
    join student on student.id = submitted_assignment.student_id
"""


@dataclass(frozen=True)
class Row:
    """One grade.

    Attributes:
        student: who handed it in.
        assignment: what.
        cell: the graded cell's name.
        score: its automatic score, or None.
        due: whether nbgrader shows it as waiting for a person or a run.
        worth: the most that it can get.
    """

    student: str
    assignment: str
    cell: str
    score: float | None
    due: bool
    worth: float

    @property
    def name(self) -> tuple[str, str, str]:
        """Student, assignment and cell, which make a grade the only one of its kind."""
        return self.student, self.assignment, self.cell


def url_of(course: Path) -> str:
    """Where a course's gradebook is when its settings do not say."""
    return f"sqlite:///{course / 'gradebook.db'}"


def query(url: str, statement: str) -> list:
    """The rows that a statement gives, whichever database it is; a busy one is waited for."""
    patience = {"timeout": 60.0} if url.startswith("sqlite") else {}
    engine = create_engine(url, poolclass=NullPool, connect_args=patience)
    with engine.connect() as connection:
        return list(connection.execute(text(statement)))


def grades(url: str) -> list[Row]:
    """Every grade."""
    return [Row(*found[:4], due=bool(found.due), worth=found.worth) for found in query(url, QUERY)]
