"""Searches what is in `release/` for what students must not see."""

from collections.abc import Iterable
from dataclasses import replace

from autograder.build.leaks import Leak, find_secrets
from autograder.course import Assignment, Course


def leaks(course: Course, assignments: Iterable[Assignment] | None = None) -> list[Leak]:
    """The secrets that stand in the releases of these assignments, or anywhere in `release/`."""
    root = course.folder("release")
    if assignments is None:
        return find_secrets(root, course)
    return [
        replace(leak, file=f"{assignment.name}/{leak.file}")
        for assignment in assignments
        for leak in find_secrets(root / assignment.name, course)
    ]
