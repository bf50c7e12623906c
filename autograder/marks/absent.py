"""Who of the class has handed in nothing; no verdict is read for it, so it is quick."""

from collections.abc import Collection, Iterable

from nbgrader.api import Assignment, Grade, Gradebook, SubmittedAssignment, SubmittedNotebook
from sqlalchemy import or_, select

from autograder.course import Course
from autograder.gradebook.granted import due_of
from autograder.gradebook.scores import open_gradebook
from autograder.marks.standing import Standing, without_submission
from autograder.notebooks.submitted import Submitted
from autograder.verdicts import SubmissionVerdict


def absent_of(
    course: Course,
    assignments: Iterable[str],
    submitted: Iterable[Submitted | SubmissionVerdict],
    students: Collection[str] = (),
) -> list[Standing]:
    """Whom the roster expects, without those who handed in or have a mark by hand.

    Args:
        course: the course; without a roster nobody is expected.
        assignments: names; each is in the gradebook.
        submitted: all that was handed in for them, or of these students.
        students: these alone are asked about; everyone when empty.
    Returns:
        the missing and the excused, by assignment, then student.
    """
    everyone = sorted(course.roster.expected())
    expected = [one for one in everyone if not students or one in students]
    if not expected:
        return []
    here = {(one.student, one.assignment) for one in submitted}
    found = []
    with open_gradebook(course) as gradebook:
        for name in assignments:
            marked = _marked(gradebook, name)
            due = due_of(course, gradebook, name)
            found += [
                without_submission(course, student, name, due)
                for student in expected
                if (student, name) not in here and student not in marked
            ]
    return found


def _marked(gradebook: Gradebook, assignment: str) -> set[str]:
    """Who has a mark, whoever gave it."""
    query = (
        select(SubmittedAssignment.student_id)
        .join(Assignment, Assignment.id == SubmittedAssignment.assignment_id)
        .join(SubmittedNotebook, SubmittedNotebook.assignment_id == SubmittedAssignment.id)
        .join(Grade, Grade.notebook_id == SubmittedNotebook.id)
        .where(
            Assignment.name == assignment,
            or_(Grade.auto_score.is_not(None), Grade.manual_score.is_not(None)),
        )
        .distinct()
    )
    return set(gradebook.db.scalars(query))
