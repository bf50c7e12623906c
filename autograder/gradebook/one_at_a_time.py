"""nbgrader's walk over submissions: all that were handed in, one at a time on a student's.

`nbgrader_patches` puts these in the places of nbgrader's own.
"""

from contextlib import ExitStack
from pathlib import Path

from nbgrader.converters import Autograde, base

from autograder.course.locks import locked
from autograder.gradebook.autograded import drop_page_on_ungraded
from autograder.gradebook.grading import grader_of
from autograder.gradebook.logged import BEFORE_NBGRADER
from autograder.gradebook.preprocessors import NotGraded
from autograder.gradebook.reopening import reopen_changed
from autograder.gradebook.scores import open_gradebook
from autograder.gradebook.taking_back import clear_scores, take_back_ungraded
from autograder.notebooks.choosing import choose
from autograder.notebooks.plain_file import BadNotebook
from autograder.notebooks.submitted import Submitted

_find = Autograde.init_notebooks
_prepare = Autograde.init_destination
_begin = Autograde.init_assignment
_convert_all = Autograde.convert_notebooks


def find_submissions(self: Autograde) -> None:
    """nbgrader's list of what there is to grade: every folder, whatever lies in it.

    Each is listed with the notebook of the assignment's name; whoever reads that looks for it.
    """
    folders = base.glob.glob(
        self._format_source(self.coursedir.assignment_id, self.coursedir.student_id)
    )
    sources = grader_of(Path(self.coursedir.root)).course.sources
    ours = [folder for folder in folders if Path(folder).name in sources]
    if self.coursedir.notebook_id != "*" or not ours or len(ours) < len(folders):
        _find(self)  # one notebook, or an assignment of nbgrader's alone
        return
    self.assignments = {one: [str(Path(one, f"{Path(one).name}.ipynb"))] for one in ours}
    self.notebooks = []


def prepare_locked(self: Autograde, assignment_id: str, student_id: str) -> bool:
    """nbgrader's first step with a submission, once no one else is at work on its student."""
    self.lock.close()  # the submission before is done
    self.lock.enter_context(locked(Path(self.coursedir.root), student_id))
    course = grader_of(Path(self.coursedir.root)).course
    with open_gradebook(course) as gradebook:  # autograded/ goes next, and with it what was read
        if assignment_id in course.sources:
            folder = course.folder("submitted") / student_id / assignment_id
            one = Submitted(student_id, assignment_id, folder)
            drop_page_on_ungraded(course, one)
            try:
                choose(course, one)
            except BadNotebook as error:
                take_back_ungraded(course, gradebook, assignment_id, student_id, error.reason)
                raise NotGraded(f"{student_id}: {error.reason}: {error}") from error
        reopen_changed(course, gradebook, assignment_id, student_id)
    return _prepare(self, assignment_id, student_id)


def begin_without_zeros(self: Autograde, assignment_id: str, student_id: str) -> None:
    """nbgrader's rows and files of a submission, without 0 for a notebook of another name."""
    _begin(self, assignment_id, student_id)
    course = grader_of(Path(self.coursedir.root)).course
    submitted = course.folder("submitted") / student_id / assignment_id
    if not (submitted / f"{assignment_id}.ipynb").exists():
        with open_gradebook(course) as gradebook:
            clear_scores(course, gradebook, assignment_id, student_id, BEFORE_NBGRADER)


def convert_locked(self: Autograde) -> None:
    """nbgrader's walk over the submissions, each with its student locked."""
    with ExitStack() as self.lock:
        _convert_all(self)
