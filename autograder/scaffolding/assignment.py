"""A new assignment: its notebook, solutions and graders, with a question and no exercise yet."""

import re
from pathlib import Path

from autograder.course import Course, CourseError
from autograder.course.assignments import ASSIGNMENT_NAME
from autograder.course.course import CONFIG
from autograder.course.layout import (
    graders_folder,
    hints_file,
    module_of,
    quiz_file,
    reference_file,
)
from autograder.scaffolding.filling import IMPORTS, Library, filled, library_of, write

SHARED = "tests"  # graders/tests holds what tests the whole course


def new_assignment(course: Course, name: str, library: Library | None = None) -> list[Path]:
    """Write a new assignment's files, each with a TODO wherever words are missing.

    Args:
        course: the course.
        name: such as `04-layer-norm`; without a number it gets the next.
        library: what its code works with; what the course's other solutions import when None.
    Returns:
        what was written, in the order in which it is best filled.
    Raises:
        CourseError: the name is taken or cannot be one, or students lack the library.
    """
    name = name if re.match(r"\d", name) else f"{_next_number(course):02}-{name}"
    _check_name(course, name)
    root = course.root
    used = library or _usual_library(root)
    check_library(course, used)
    number, title = name.split("-", 1)
    values = {
        "assignment": name,
        "heading": f"{int(number)} {title.replace('-', ' ').capitalize()}",
        "imports": IMPORTS[used],
    }
    files = {
        root / "assignments" / name / f"{name}.py": filled("assignment/notebook.py", **values),
        quiz_file(root, name): filled("assignment/quiz.toml", **values),
        reference_file(root, name): filled("assignment/reference.py", **values),
        hints_file(root, name): filled("assignment/hints.toml", **values),
    }
    for path in files:
        if path.exists():
            raise CourseError(f"{path} is there already: choose another name than {name!r}.")
    return write(files | packages(root, name))


def check_library(course: Course, used: Library) -> None:
    """Refuse torch where students do not have it.

    Raises:
        CourseError: they do not; the text says how they get it.
    """
    if used == "torch" and not course.packages.has_torch:
        raise CourseError(
            "Students of this course have no torch: c.Packages.required in "
            f'{course.root / CONFIG} does not name it. Add "torch>=2.4,<3" there.'
        )


def packages(root: Path, name: str) -> dict[Path, str]:
    """The `__init__.py` files that an assignment's Python lacks yet."""
    wanted = {
        root / "solutions": "What full marks look like: a folder for each assignment.",
        root / "solutions" / module_of(name): f"Solutions of {name}.",
        root / "graders": "How answers are judged: a folder for each assignment.",
        graders_folder(root, name): f"How answers to {name} are judged.",
    }
    paths = {folder / "__init__.py": f'"""{about}"""\n' for folder, about in wanted.items()}
    return {path: text for path, text in paths.items() if not path.is_file()}


def _check_name(course: Course, name: str) -> None:
    module = name.split("-", 1)[-1].replace("-", "_")
    if not ASSIGNMENT_NAME.fullmatch(name) or not module.isidentifier() or module == SHARED:
        raise CourseError(
            f"{name!r} cannot be an assignment's name. Take two digits and small letters, such as "
            "04-layer-norm."
        )
    for other in course.sources:
        if module_of(other) == module:
            raise CourseError(f"{other} has the folders {module!r} already; take other words.")


def _next_number(course: Course) -> int:
    return max((int(name[:2]) for name in course.sources), default=0) + 1


def _usual_library(root: Path) -> Library:
    """What most of the course's solutions work with."""
    texts = (path.read_text(encoding="utf-8") for path in root.glob("solutions/*/reference.py"))
    found = [library for library in map(library_of, texts) if library]
    return max(found, key=found.count, default="numpy")
