"""What an instructor has not written yet: every line of an assignment's sources that says TODO."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.build.companions import KIT
from autograder.build.shipping import files_to_ship
from autograder.course import Assignment, Course
from autograder.hidden import grader_files

SIGN = "TODO"


@dataclass(frozen=True)
class Todo:
    """A line that is left to write.

    Attributes:
        path: the file.
        line: the line's number, from 1.
        text: the line.
    """

    path: Path
    line: int
    text: str

    def __str__(self) -> str:
        here = Path.cwd()
        path = self.path.relative_to(here) if self.path.is_relative_to(here) else self.path
        return f"{path}, line {self.line}: {self.text}"


def todos(course: Course, assignment: Assignment) -> list[Todo]:
    """Every line that is left to write in an assignment's sources, file after file."""
    found = []
    for path in dict.fromkeys(_sources(course, assignment)):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            if SIGN in line:
                found.append(Todo(path, number, line.strip().lstrip("# ")))
    return found


def _sources(course: Course, assignment: Assignment) -> Iterator[Path]:
    """The files of an assignment that are there, in the order in which they are best written."""
    name, module = assignment.name, assignment.module
    solutions = course.root / "solutions"
    exercises = [exercise.name for exercise in assignment.exercises]
    candidates = [
        course.root / "assignments" / name / f"{name}.py",
        solutions / f"{module}.py",
        *(solutions / kind / f"{name}.toml" for kind in ("quiz", "written")),
        *grader_files(module),
        *files_to_ship(KIT / "checks", module, exercises),
    ]
    for room in ("misconceptions", "variants"):
        candidates += [KIT / room / f"{module}.py", *sorted((KIT / room / module).glob("*.py"))]
    tests = course.root / "tests" / "solutions"
    if tests.is_dir():
        candidates += [path for path in sorted(tests.glob("*.py")) if _tests(path, module)]
    yield from (path for path in candidates if path.is_file())


def _tests(path: Path, module: str) -> bool:
    text = path.read_text(encoding="utf-8")
    return f"from solutions.{module} import" in text or f"solutions import {module}" in text
