"""What an instructor has not written yet: every line of an assignment's sources that says TODO."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.course import Assignment, Course
from autograder.course.data_files import files_under
from autograder.course.layout import checks_folder, graders_folder, hints_file, reference_file

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
    root, name = course.root, assignment.name
    trees = (
        reference_file(root, name).parent,
        checks_folder(root, name),
        graders_folder(root, name),
    )
    yield root / "assignments" / name / f"{name}.py"
    for tree in trees:
        yield from (path for path in files_under(tree) if path.suffix in (".py", ".toml"))
    if (hints := hints_file(root, name)).is_file():
        yield hints
