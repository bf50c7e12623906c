"""One autograde at a time on what belongs to a student, whichever command started it.

`nbgrader_patches` puts these in the places of nbgrader's own.
"""

from contextlib import ExitStack
from pathlib import Path

from nbgrader.converters import Autograde

from autograder.course.locks import locked
from autograder.gradebook.grading import grader_of
from autograder.gradebook.reopening import reopen_changed
from autograder.gradebook.scores import open_gradebook

_prepare = Autograde.init_destination
_convert_all = Autograde.convert_notebooks


def prepare_locked(self: Autograde, assignment_id: str, student_id: str) -> bool:
    """nbgrader's first step with a submission, once no one else is at work on its student."""
    self.lock.close()  # the submission before is done
    self.lock.enter_context(locked(Path(self.coursedir.root), student_id))
    course = grader_of(Path(self.coursedir.root)).course
    with open_gradebook(course) as gradebook:  # autograded/ goes next, and with it what was read
        reopen_changed(course, gradebook, assignment_id, student_id)
    return _prepare(self, assignment_id, student_id)


def convert_locked(self: Autograde) -> None:
    """nbgrader's walk over the submissions, each with its student locked."""
    with ExitStack() as self.lock:
        _convert_all(self)
