"""The marks of one submission, read in three queries and put where the feedback page looks.

The same as nbgrader's GetGrades and the two stages of ours after it, which open the gradebook each
and ask it cell by cell.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from nbconvert.exporters.exporter import ResourcesDict
from nbformat import NotebookNode
from nbgrader.api import (
    Assignment,
    BaseCell,
    Comment,
    Grade,
    Gradebook,
    Notebook,
    SubmittedAssignment,
    SubmittedNotebook,
)
from nbgrader.utils import is_grade, is_solution, is_task
from sqlalchemy import Row, select

from autograder.feedback.overview import waits_for_person
from autograder.gradebook.written import mark_waiting


class NotGraded(Exception):
    """The gradebook lacks marks that the page would show; the text says which."""


@dataclass(frozen=True)
class Marks:
    """What the gradebook says of one submitted notebook.

    Attributes:
        total: its `id`, `notebook_id`, `max_score` and `late_submission_penalty`.
        grades: of each graded cell `auto_score`, `manual_score`, `needs_manual_grade`, `score` and
            `max_score`.
        comments: of each answer what a person wrote, or None.
    """

    total: Row
    grades: Mapping[str, Row]
    comments: Mapping[str, str | None]

    @property
    def score(self) -> float:
        """Points in all, before a late penalty; nbgrader would read the whole class for them."""
        return sum(row.score for row in self.grades.values())

    def grade(self, cell: str) -> Row:
        """The grade of a cell; raises NotGraded."""
        if cell not in self.grades:
            raise NotGraded(f"the gradebook has no grade of {cell}")
        return self.grades[cell]

    def comment(self, cell: str) -> str | None:
        """A person's comment on a cell; raises NotGraded where there cannot be one."""
        if cell not in self.comments:
            raise NotGraded(f"the gradebook has no place for a comment on {cell}")
        return self.comments[cell]


def read_marks(gradebook: Gradebook, notebook: str, assignment: str, student: str) -> Marks:
    """Read the marks of a submitted notebook.

    Raises:
        NotGraded: the gradebook does not know it.
    """
    submitted = gradebook.db.query(
        SubmittedNotebook.id,
        SubmittedNotebook.notebook_id,
        SubmittedNotebook.max_score,
        SubmittedNotebook.late_submission_penalty,
    )
    total = (
        submitted.join(Notebook, Notebook.id == SubmittedNotebook.notebook_id)
        .join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
        .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
        .filter(
            Notebook.name == notebook,
            Assignment.name == assignment,
            SubmittedAssignment.student_id == student,
        )
        .one_or_none()
    )
    if total is None:
        raise NotGraded(f"the gradebook has no submission of {notebook}")
    # By cell as well: nbgrader's indexes begin with it, and a class has thousands of each.
    cells = select(BaseCell.id).where(BaseCell.notebook_id == total.notebook_id)
    grades = gradebook.db.query(
        BaseCell.name.label("name"),
        Grade.auto_score,
        Grade.manual_score,
        Grade.needs_manual_grade,
        Grade.score,
        Grade.max_score,
    ).join(BaseCell, BaseCell.id == Grade.cell_id)
    comments = gradebook.db.query(BaseCell.name.label("name"), Comment.manual_comment).join(
        BaseCell, BaseCell.id == Comment.cell_id
    )
    graded = grades.filter(Grade.notebook_id == total.id, Grade.cell_id.in_(cells))
    answered = comments.filter(Comment.notebook_id == total.id, Comment.cell_id.in_(cells))
    return Marks(
        total,
        {row.name: row for row in graded},
        {row.name: row.manual_comment for row in answered},
    )


def put_marks(nb: NotebookNode, resources: ResourcesDict, marks: Marks) -> None:
    """Write marks into a notebook's metadata and the page's resources.

    Raises:
        NotGraded: the gradebook lacks a mark of one of its cells.
    """
    for cell in nb.cells:
        mark: dict[str, Any] = cell.metadata.get("nbgrader") or {}
        if is_solution(cell) or is_task(cell) or mark.get("comment"):
            mark["comment"] = marks.comment(mark["grade_id"])
        if is_grade(cell) or is_task(cell):
            grade = marks.grade(mark["grade_id"])
            by_person = is_task(cell) or is_solution(cell) or waits_for_person(cell)
            if grade.auto_score is None and not by_person:
                raise NotGraded(f"the gradebook has no marks of {mark['grade_id']}; grade it again")
            mark["score"], mark["points"] = grade.score, grade.max_score
    mark_waiting(nb, marks.grade)
    penalty = marks.total.late_submission_penalty or 0
    resources["nbgrader"] |= {
        "score": marks.score - penalty,
        "max_score": marks.total.max_score,
        "late_penalty": penalty,
    }
