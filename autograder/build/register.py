"""Enter assignments into the gradebook from their sources, where it lacks them."""

import tempfile
from collections.abc import Iterable
from pathlib import Path

from autograder.build.student_version import student_version
from autograder.course import Course
from autograder.course.turns import turn
from autograder.gradebook.scores import is_registered, open_gradebook


def register(course: Course, names: Iterable[str]) -> None:
    """Let the gradebook know these assignments with today's exercises and points.

    Raises:
        CourseError: the sources are wrong, or the gradebook holds submissions of an earlier
            version with other exercises.
    """
    with turn(course.root, "register"):  # two graders would both make what must be there once
        with open_gradebook(course) as gradebook:
            known = {name: is_registered(gradebook, course.assignment(name)) for name in names}
        for name in sorted(name for name in known if not known[name]):
            with tempfile.TemporaryDirectory(prefix="autograder-register-") as stage:
                student_version(course, name, Path(stage), register=True)
