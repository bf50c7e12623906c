"""Enter assignments into the gradebook from their sources, where it lacks them or has them half."""

import tempfile
from collections.abc import Iterable
from pathlib import Path

from autograder.build.student_version import read_cells, student_version
from autograder.course import Course
from autograder.course.locks import locked
from autograder.gradebook.class_names import enter_class
from autograder.gradebook.grading import grader_of
from autograder.gradebook.granted import enter_due_dates
from autograder.gradebook.logged import BEFORE_NBGRADER
from autograder.gradebook.registration import (
    is_registered,
    refuse_another_version,
    register_cells,
)
from autograder.gradebook.scores import has_gradebook, open_gradebook
from autograder.gradebook.taking_back import clear_scores


def register(course: Course, names: Iterable[str]) -> None:
    """Let the gradebook know these assignments with today's exercises and points.

    Raises:
        CourseError: the sources are wrong, or the gradebook holds submissions of an earlier
            version with other exercises.
    """
    with locked(course.root, "register"):  # two graders would both make what must be there once
        with open_gradebook(course) as gradebook:
            known = {name: is_registered(gradebook, course.assignment(name)) for name in names}
        for name in sorted(name for name in known if not known[name]):
            with tempfile.TemporaryDirectory(prefix="autograder-register-") as stage:
                student_version(course, name, Path(stage))
                cells = read_cells(Path(stage))
            with open_gradebook(course) as gradebook:
                register_cells(gradebook, course, name, cells)


def check_registration(course: Course, names: Iterable[str]) -> None:
    """Look whether `register` would be refused, and change nothing.

    Raises:
        CourseError: as `register`.
    """
    if not has_gradebook(course):
        return
    with open_gradebook(course) as gradebook:
        for name in names:
            if not is_registered(gradebook, course.assignment(name)):
                with tempfile.TemporaryDirectory(prefix="autograder-register-") as stage:
                    student_version(course, name, Path(stage))
                    refuse_another_version(gradebook, name, read_cells(Path(stage)))


def before_autograding(assignment: str, student: str, notebooks: Iterable[str]) -> None:
    """nbgrader's pre_convert_hook: clear first, so that any failure from here on leaves no score.

    Args:
        assignment: a name, or a pattern; the notebooks' paths say which it is.
        student: likewise.
        notebooks: paths of the notebooks that are about to be graded.
    """
    course = grader_of(Path.cwd()).course
    folders = {Path(notebook).parent for notebook in notebooks}
    with open_gradebook(course) as gradebook:
        for folder in folders:
            clear_scores(course, gradebook, folder.name, folder.parent.name, BEFORE_NBGRADER)
    names = {folder.name for folder in folders}
    register(course, names)
    with open_gradebook(course) as gradebook:
        enter_due_dates(course, gradebook, names)
        enter_class(course, gradebook)
