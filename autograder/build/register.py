"""Enter assignments into the gradebook from their sources, where it lacks them or has them half."""

import tempfile
from collections.abc import Iterable
from pathlib import Path

from autograder.build.student_version import student_version
from autograder.course import Course
from autograder.course.locks import locked
from autograder.gradebook.grading import grader_of
from autograder.gradebook.registration import is_registered
from autograder.gradebook.scores import clear_scores, open_gradebook


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
                student_version(course, name, Path(stage), register=True)


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
            clear_scores(gradebook, folder.name, folder.parent.name)
    register(course, {folder.name for folder in folders})
