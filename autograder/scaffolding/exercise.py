"""A new exercise: what is written where, and why it cannot be."""

import keyword
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.build.references import named_objects, parse_module
from autograder.checks.kit.local_student import LocalStudent
from autograder.course import Assignment, Course, CourseError
from autograder.course.layout import (
    broken_file,
    checks_folder,
    graders_folder,
    hints_file,
    reference_file,
)
from autograder.scaffolding.assignment import check_library, packages
from autograder.scaffolding.filling import (
    IMPORTS,
    Library,
    filled,
    imported,
    library_of,
    write,
)
from autograder.scaffolding.imports import with_imports, with_imports_in_notebook
from autograder.scaffolding.signature import Signature, read_signature

QUESTION_NAME = re.compile(r"[kqw]\d+")
EXERCISE_CELL = re.compile(r"^# %% exercise=.*\n?", re.MULTILINE)
QUESTION_CELL = re.compile(r"(^# %% \[markdown\]\n(#.*\n)*\s*)?^# %% (quiz|written)=", re.MULTILINE)
TAKEN = {
    "tests",
    "kit",
    "hints",
    "reference",
    "broken",
}  # by other files and folders


@dataclass(frozen=True)
class Blank:
    """What the templates are filled with.

    Attributes:
        signature: what students write, and what it is called with.
        assignment: the assignment.
        points: what full marks are.
        library: what the exercise works with.
        kind: the type of an array or a tensor, as the assignment's own solutions call it.
    """

    signature: Signature
    assignment: Assignment
    points: float
    library: Library
    kind: str

    def text(self, template: str) -> str:
        """A template, filled."""
        own = self.signature
        form = "class" if own.is_class else "function"
        return filled(
            f"exercise/{template}",
            s=own,
            name=own.name,
            snake=own.snake,
            form=form,
            assignment=self.assignment.name,
            module=self.assignment.module,
            points=f"{self.points:g}",
            torch=self.library == "torch",
            kind=self.kind,
            returns=own.returns or self.kind,
        )


def new_exercise(
    course: Course,
    assignment: str,
    name: str,
    points: float = 2,
    signature: str | None = None,
    library: Library | None = None,
) -> list[Path]:
    """Write a new exercise's files, each with a TODO wherever an instructor's words are missing.

    Args:
        course: the course.
        assignment: the assignment's name.
        name: the function or class that students are to write; CamelCase is a class.
        points: what full marks are.
        signature: what it is called with, such as `layer_norm(x, gamma, beta, eps)`.
        library: what it works with; what the assignment's solutions import when None.
    Returns:
        what was written or extended, in the order in which it is best filled.
    Raises:
        CourseError: there is no such assignment, the name is taken or cannot be one, or students
            lack the library.
    """
    own = course.assignment(assignment)
    _check_name(course, Signature(name, ()))
    read = read_signature(name, signature)
    text = _read(reference_file(course.root, own.name))
    used = "torch" if read.is_class else library or library_of(text) or "numpy"
    check_library(course, used)
    bound = imported(text)
    kind = {"numpy": "np.ndarray", "torch": "Tensor"}[used]
    if used == "torch" and "Tensor" not in bound and "torch" in bound:
        kind = "torch.Tensor"
    blank = Blank(read, own, points, used, kind)
    new = _new_files(course.root, blank)
    return write(_extended_files(course.root, blank) | new | packages(course.root, own.name))


def _check_name(course: Course, signature: Signature) -> None:
    name = signature.name
    if not name.isidentifier() or keyword.iskeyword(name) or name.startswith("_"):
        raise CourseError(
            f"{name!r} cannot be what students write: take a name that Python takes, such as "
            "row_sums, or GatedBlock for a class."
        )
    if ("_" in name) if signature.is_class else (name != name.lower()):
        raise CourseError(
            f"{name!r} is neither a function's name, such as row_sums, nor a class's, such as "
            "GatedBlock."
        )
    if QUESTION_NAME.fullmatch(name):
        raise CourseError(f"{name!r} is what a question is called; an exercise has another name.")
    if name in {*dir(LocalStudent), *vars(LocalStudent({}))}:
        raise CourseError(
            f"{name!r} is a word of the graders' own: `student.{name}` does something else there. "
            "Choose another name."
        )
    if signature.snake in TAKEN:
        raise CourseError(f"{name!r} is what another file is called. Choose another name.")
    for assignment in course.assignments.values():
        if name in [exercise.name for exercise in assignment.exercises]:
            raise CourseError(f"{assignment.name} has an exercise {name!r} already.")
    broken = {broken_file(course.root, one) for one in course.sources}
    for path in sorted((course.root / "solutions").glob("*/*.py")):
        if path not in broken and name in named_objects(parse_module(path)[1]):
            raise CourseError(
                f"{path} defines {name!r} already; an exercise has a name of its own."
            )


def _new_files(root: Path, blank: Blank) -> dict[Path, str]:
    """The files that are the exercise's alone.

    Raises:
        CourseError: one of them is there, or another of the name that it would take.
    """
    name, snake = blank.assignment.name, blank.signature.snake
    group = graders_folder(root, name) / snake
    form = "class" if blank.signature.is_class else "function"
    files = {
        checks_folder(root, name) / f"{snake}.py": blank.text(f"checks_{form}.py"),
        group / "__init__.py": f'"""How answers to {blank.signature.name} are judged."""\n',
        group / "hidden.py": blank.text(f"hidden_{form}.py"),
        group / "mistakes.py": blank.text("mistakes.py"),
        group / "variants.py": blank.text("variants.py"),
        group.parent / "tests" / f"test_{snake}_reference.py": blank.text("reference_test.py"),
    }
    for path in (*_of_the_same_name(root, snake), group, group.with_suffix(".py"), *files):
        if path.exists():
            raise CourseError(
                f"{path} is there already: choose another name than {blank.signature.name!r}."
            )
    return files


def _of_the_same_name(root: Path, snake: str) -> Iterator[Path]:
    """Files of any assignment whose names must differ over the whole course."""
    yield from sorted(root.glob(f"assignments/*/checks/{snake}.py"))
    yield from sorted(root.glob(f"graders/**/tests/test_{snake}_reference.py"))


def _extended_files(root: Path, blank: Blank) -> dict[Path, str]:
    """The files that the assignment's exercises share, with this one in them."""
    name = blank.assignment.name
    percent = root / "assignments" / name / f"{name}.py"
    reference, hints = reference_file(root, name), hints_file(root, name)
    needed = IMPORTS[blank.library]
    if blank.signature.is_class:
        needed = needed.replace("import Tensor", "import Tensor, nn")
    solutions = _read(reference) or f'"""Solutions of {name}."""\n'
    stub = blank.text("solution.py")
    return {
        percent: with_imports_in_notebook(_with_cell(_read(percent), blank), needed, stub),
        reference: f"{with_imports(solutions, needed, stub).rstrip()}\n{stub}",
        hints: (_read(hints).rstrip() or f"# Hints of {name}.") + "\n" + blank.text("hints.toml"),
    }


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _with_cell(percent: str, blank: Blank) -> str:
    """The percent notebook with the exercise after its last one, or before its first question."""
    cells, question = list(EXERCISE_CELL.finditer(percent)), QUESTION_CELL.search(percent)
    before = question.start() if question else len(percent)
    end = cells[-1].end() if cells else before
    parts = [percent[:end].strip(), blank.text("cell.py").strip(), percent[end:].strip()]
    return "\n\n".join(filter(None, parts)) + "\n"
