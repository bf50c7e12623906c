"""Automatic scores that are stale are taken out of the gradebook, with what was made of them."""

import shutil
from contextlib import suppress

from nbgrader.api import Gradebook, MissingEntry

from autograder.course import Course
from autograder.gradebook.logged import logged_of, total
from autograder.gradebook.records import record_file
from autograder.gradebook.reopening import reopen_changed


def clear_scores(
    course: Course, gradebook: Gradebook, assignment: str, student: str, why: str
) -> None:
    """Take back the automatic scores of a submission; what an instructor gave stays as it is.

    A submission that cannot be graded must not keep an old score as if it were new.

    Args:
        course: the course.
        gradebook: its gradebook.
        assignment: the assignment's name.
        student: the student's id.
        why: the reason, for the log.
    """
    try:
        submission = gradebook.find_submission(assignment, student)
    except MissingEntry:
        return
    scores = {}
    for notebook in submission.notebooks:
        for grade in notebook.grades:
            scores[grade.name] = grade.auto_score
            grade.auto_score = None
            if grade.manual_score is None:
                grade.needs_manual_grade = True
    gradebook.db.commit()
    if assignment in course.sources:
        logged_of(course, assignment).taken_back(student, total(scores), why)


def take_back_ungraded(
    course: Course, gradebook: Gradebook, assignment: str, student: str, reason: str
) -> None:
    """Take back what stands of a submission that cannot be graded any more, for this reason."""
    why = f"taken back, since it is not graded any more: {reason}"
    take_back(course, gradebook, assignment, student, why)


def take_back(
    course: Course, gradebook: Gradebook, assignment: str, student: str, why: str
) -> None:
    """Clear a submission's automatic scores, and remove what was made of them."""
    reopen_changed(course, gradebook, assignment, student)
    clear_scores(course, gradebook, assignment, student, why)
    with suppress(OSError):
        record_file(course, assignment, student).unlink()
    for step in ("autograded", "feedback"):
        shutil.rmtree(course.folder(step) / student / assignment, ignore_errors=True)
