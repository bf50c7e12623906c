"""Scores in nbgrader's database, and clearing what is stale of them."""

import shutil
from contextlib import suppress

from nbgrader.api import Gradebook, MissingEntry
from nbgrader.coursedir import CourseDirectory

from autograder.course import Course
from autograder.gradebook import nbgrader_patches
from autograder.gradebook.records import record_file
from autograder.gradebook.reopening import reopen_changed

nbgrader_patches.patch_gradebook()


def open_gradebook(course: Course) -> Gradebook:
    """The course's gradebook, at the address that nbgrader uses."""
    directory = CourseDirectory(config=course.config)
    return Gradebook(directory.db_url, directory.course_id)


def clear_scores(gradebook: Gradebook, assignment: str, student: str) -> None:
    """Take back the automatic scores of a submission; what an instructor gave stays as it is.

    A submission that cannot be graded must not keep an old score as if it were new.
    """
    try:
        submission = gradebook.find_submission(assignment, student)
    except MissingEntry:
        return
    for notebook in submission.notebooks:
        for grade in notebook.grades:
            grade.auto_score = None
            if grade.manual_score is None:
                grade.needs_manual_grade = True
    gradebook.db.commit()


def take_back(course: Course, gradebook: Gradebook, assignment: str, student: str) -> None:
    """Clear a submission's automatic scores, and remove what was made of them."""
    reopen_changed(course, gradebook, assignment, student)
    clear_scores(gradebook, assignment, student)
    with suppress(OSError):
        record_file(course, assignment, student).unlink()
    for step in ("autograded", "feedback"):
        shutil.rmtree(course.folder(step) / student / assignment, ignore_errors=True)
