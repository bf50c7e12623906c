"""What a student handed in, read without trust and put in order."""

from autograder.course import Course
from autograder.notebooks import Submitted, read_files, read_notebook, sanitise
from autograder.verdicts import Submission


def read_submission(course: Course, one: Submitted) -> Submission:
    """All that a verdict depends on of a submitted folder.

    Raises:
        BadNotebook: its notebook, or a file beside it, cannot be graded.
    """
    assignment = course.assignment(one.assignment)
    notebook = read_notebook(one.notebook, course.limits.notebook_mb * 2**20)
    files = read_files(one.folder, course.limits.files_mb * 2**20)
    sanitise(notebook, assignment)
    return Submission.of(notebook, assignment, one.student, files)
