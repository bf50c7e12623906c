"""The mutants that do what the reference does, each with the reason: `graders/*/equivalents.toml`.

A file an assignment. Each table is named after an exercise and gives a line of its reference, what
mutants make of it, and why they change nothing that the exercise's text promises. A mutant that a
test could see has no place there: it is a hole in the graders.
"""

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from autograder.course.layout import graders_folder


@dataclass(frozen=True)
class Equivalent:
    """A mutant that may keep full marks.

    Attributes:
        exercise: the exercise's name.
        line: the line of the reference that is changed, without its comment.
        becomes: the line after the change.
        reason: why it makes no difference.
    """

    exercise: str
    line: str
    becomes: str
    reason: str


@cache
def equivalents(root: Path, assignment: str) -> dict[tuple[str, str, str], Equivalent]:
    """The known equivalents of an assignment, by exercise, line and changed line.

    Args:
        root: the course's folder.
        assignment: the assignment's name.
    """
    path = graders_folder(root, assignment) / "equivalents.toml"
    tables = tomllib.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    return {
        (exercise, entry["line"], becomes): Equivalent(
            exercise, entry["line"], becomes, entry["reason"]
        )
        for exercise, entries in tables.items()
        for entry in entries
        for becomes in entry["becomes"]
    }
