"""The course's gradebook, opened as nbgrader opens it, and the grades that stand in it."""

from collections.abc import Collection
from pathlib import Path

from nbgrader.api import BaseCell, Grade, Gradebook, SubmittedAssignment, SubmittedNotebook
from nbgrader.coursedir import CourseDirectory
from sqlalchemy import Row, select

from autograder.course import Course
from autograder.gradebook import nbgrader_patches

nbgrader_patches.patch_gradebook()

SQLITE = "sqlite:///"
FEW = 500  # students who are asked for by name; for more of them a whole assignment is read


def open_gradebook(course: Course) -> Gradebook:
    """The course's gradebook, at the address that nbgrader uses."""
    directory = CourseDirectory(config=course.config)
    return Gradebook(directory.db_url, directory.course_id)


def has_gradebook(course: Course) -> bool:
    """Whether there is one to look at: nbgrader makes one whenever it opens none."""
    url = str(CourseDirectory(config=course.config).db_url)
    return not url.startswith(SQLITE) or Path(url.removeprefix(SQLITE)).is_file()


def grades_of(
    gradebook: Gradebook, name: str, students: Collection[str] | None
) -> dict[str, list[Row]]:
    """The grades of an assignment's submissions, by student.

    Args:
        gradebook: the course's.
        name: the assignment's name.
        students: whose grades are wanted, None for all; those of others may come with them.
    """
    notebook = gradebook.find_notebook(name, name).id
    # By cell, since nbgrader's indexes begin with it: a class has thousands of grades.
    cells = select(BaseCell.id).where(BaseCell.notebook_id == notebook)
    query = (
        select(
            SubmittedAssignment.student_id,
            SubmittedNotebook.late_submission_penalty,
            BaseCell.name,
            Grade.score,
            Grade.auto_score,
            Grade.manual_score,
            Grade.extra_credit,
            Grade.needs_manual_grade,
        )
        .join(BaseCell, BaseCell.id == Grade.cell_id)
        .join(SubmittedNotebook, SubmittedNotebook.id == Grade.notebook_id)
        .join(SubmittedAssignment, SubmittedAssignment.id == SubmittedNotebook.assignment_id)
        .where(SubmittedNotebook.notebook_id == notebook, Grade.cell_id.in_(cells))
    )
    if students is not None and len(students) <= FEW:
        query = query.where(SubmittedAssignment.student_id.in_(students))
    found: dict[str, list[Row]] = {}
    for row in gradebook.db.execute(query):
        found.setdefault(row.student_id, []).append(row)
    return found
