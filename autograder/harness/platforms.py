"""The platforms that a harness can be made for."""

import importlib
from pathlib import Path

from autograder.course import Course

PLATFORMS = {
    "gradescope": "a zip to upload as an autograder",
    "classroom50": "an entry for Classroom 50: visible checks, or by choice all",
    "prairielearn": "an external grader's image and entry for PrairieLearn",
    "github": "GitHub Actions: grade in the private repository, check in the students'",
    "gitlab": "GitLab CI: grade in the private repository, check in the students'",
}
"""What is made for each; its module here has the same name, and a function `write`."""


def write(
    platform: str, course: Course, names: list[str], output: Path, **options: bool
) -> list[str]:
    """Write a platform's harness.

    Args:
        platform: one of `PLATFORMS`.
        course: the course.
        names: the assignments that it is for; all of the course where none is named.
        output: a file or folder that is not there yet, or that an earlier run wrote.
        options: what only this platform offers.
    Returns:
        what the instructor does next, a line each.
    Raises:
        CourseError: it cannot be written so; the message says what to do.
    """
    module = importlib.import_module(f"autograder.harness.{platform}")
    return module.write(course, names or list(course.sources), output, **options)
