"""A new exercise: what is written where, and why it cannot be."""

import ast
import keyword
import re
from dataclasses import dataclass
from pathlib import Path
from string import Template

import autograder
from autograder.build.references import named_objects, parse_module
from autograder.checks.local_student import LocalStudent
from autograder.course import Assignment, Course, CourseError
from autograder.scaffolding.gathering import gather

KIT = Path(autograder.__file__).parent
TEMPLATES = Path(__file__).parent / "templates"
QUESTION_NAME = re.compile(r"[kqw]\d+")
EXERCISE_CELL = re.compile(r"^# %% exercise=.*\n", re.MULTILINE)


@dataclass(frozen=True)
class Blank:
    """What the templates are filled with.

    Attributes:
        name: the exercise's name.
        assignment: the assignment.
        points: what full marks are.
    """

    name: str
    assignment: Assignment
    points: float

    def text(self, template: str, **more: str) -> str:
        """A template, filled."""
        text = (TEMPLATES / f"{template}.txt").read_text(encoding="utf-8")
        return Template(text).substitute(
            name=self.name,
            assignment=self.assignment.name,
            module=self.assignment.module,
            points=f"{self.points:g}",
            **more,
        )


def new_exercise(course: Course, assignment: str, name: str, points: float = 2) -> list[Path]:
    """Write a new exercise's files, each with a TODO wherever an instructor's words are missing.

    Args:
        course: the course.
        assignment: the assignment's name.
        name: the function that students are to write.
        points: what full marks are.
    Returns:
        what was written or extended, in the order in which it is best filled.
    Raises:
        CourseError: there is no such assignment, or the name is taken or cannot be one.
    """
    own = course.assignment(assignment)
    _check_name(course, name)
    blank = Blank(name, own, points)
    files = _extended_files(course.root, blank) | _new_files(course.root, blank)
    for path, text in files.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return list(files)


def _check_name(course: Course, name: str) -> None:
    if not name.isidentifier() or keyword.iskeyword(name) or name.startswith("_"):
        raise CourseError(
            f"{name!r} cannot be what students write: take a name that Python takes, such as "
            "row_sums."
        )
    if name != name.lower():
        raise CourseError(
            f"{name!r} is a class's name, and this writes functions: take one such as row_sums. "
            "How a class is graded, MultiHeadAttention in 04 shows."
        )
    if QUESTION_NAME.fullmatch(name):
        raise CourseError(f"{name!r} is what a question is called; an exercise has another name.")
    if name in {*dir(LocalStudent), *vars(LocalStudent({}))}:
        raise CourseError(
            f"{name!r} is a word of the graders' own: `student.{name}` does something else there. "
            "Choose another name."
        )
    for assignment in course.assignments.values():
        if name in [exercise.name for exercise in assignment.exercises]:
            raise CourseError(f"{assignment.name} has an exercise {name!r} already.")
    for path in sorted((course.root / "solutions").glob("*.py")):
        if name in named_objects(parse_module(path)[1]):
            raise CourseError(
                f"{path} defines {name!r} already; an exercise has a name of its own."
            )


def _new_files(root: Path, blank: Blank) -> dict[Path, str]:
    """The files that are the exercise's alone.

    Raises:
        CourseError: one of them is there, or a room has one file for the whole assignment.
    """
    module, file = blank.assignment.module, blank.name
    checks = KIT / "checks"
    shared = (checks / f"{module}.py").is_file()
    files = {
        KIT / "hidden" / module / f"{file}.py": blank.text("graders"),
        checks / f"{file if shared else module}.py": blank.text("checks"),
        KIT / "misconceptions" / module / f"{file}.py": blank.text("mistakes"),
        KIT / "variants" / module / f"{file}.py": blank.text("variants"),
        root / "tests" / "solutions" / f"test_{file}_reference.py": blank.text("reference_test"),
    }
    for path in files:
        if path.exists():
            raise CourseError(f"{path} is there already: choose another name than {blank.name!r}.")
        alone = path.parent.with_suffix(".py")
        if alone.is_file():
            raise CourseError(
                f"{alone} is one file for all exercises. Make it a folder of that name with a file "
                "for each, as other assignments have it, and run this again."
            )
    return files


def _extended_files(root: Path, blank: Blank) -> dict[Path, str]:
    """The files that the assignment's exercises share, with this one in them."""
    name, module = blank.assignment.name, blank.assignment.module
    percent = root / "assignments" / name / f"{name}.py"
    solutions = root / "solutions" / f"{module}.py"
    hints = KIT / "checks" / "hints" / f"{module}.toml"
    found = {
        percent: _with_cell(_read(percent), blank),
        solutions: _with_solution(_read(solutions), blank),
        hints: (_read(hints).rstrip() or f"# Hints of {name}.") + "\n" + blank.text("hints"),
    }
    graders = KIT / "hidden" / module / "__init__.py"
    if not graders.is_file():
        found[graders] = f'"""Hidden graders of {name}, one file for each idea."""\n'
    for room, constant, about in (
        ("misconceptions", "MISTAKES", f"Known mistakes in {name}."),
        ("variants", "VARIANTS", f"Right answers in {name}."),
    ):
        folder = KIT / room / module
        found[folder / "__init__.py"] = gather(folder, blank.name, constant, about)
    return found


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8") if path.is_file() else ""


def _with_cell(percent: str, blank: Blank) -> str:
    """The percent notebook with the exercise after its last one, or at its end."""
    cells = list(EXERCISE_CELL.finditer(percent))
    end = cells[-1].end() if cells else len(percent)
    parts = [percent[:end].strip(), blank.text("cell").strip(), percent[end:].strip()]
    return "\n\n".join(filter(None, parts)) + "\n"


def _with_solution(text: str, blank: Blank) -> str:
    """The reference solutions with a stub of this one at their end."""
    if not text:
        text = (
            f'"""Reference solutions of {blank.assignment.name}."""\n\nfrom torch import Tensor\n'
        )
    bound = {
        alias.asname or alias.name
        for node in ast.parse(text).body
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    }
    kind = "Tensor" if "Tensor" in bound else "np.ndarray" if "np" in bound else "object"
    stub = blank.text("solution", kind=kind)
    return f"{text.rstrip()}\n{stub}"
