"""A verdict's key: the hash of everything that the verdict is a function of."""

import ast
import hashlib
import importlib.metadata
import json
import platform
from dataclasses import astuple
from functools import cache
from pathlib import Path
from typing import Any

from autograder.checks.personal import normalised
from autograder.course import Assignment, Course, CourseError
from autograder.course.assignments import module_of
from autograder.course.quiz import read_quiz
from autograder.hidden import grader_files
from autograder.sandbox.inside.versions import versions
from autograder.verdicts.submission import Submission

PACKAGE = Path(__file__).parent.parent
VERSIONED = ("torch", "numpy", "matplotlib", "safetensors", "ipython", "pytest")
PROGRAM = {".py", ".toml", ".txt", ".j2"}
# Rooms whose code takes part in every verdict.
SHARED_ROOMS = (
    "checks",
    "course",
    "sandbox",
    "student",
    "misconceptions",
    "variants",
    "judging",
    "verdicts",
)


class Keys:
    """Computes verdict keys for one assignment; what submissions share is hashed once.

    Args:
        course: gives limits and the secret.
        assignment: gives the exercises and their modules.
        isolation: the sandbox policy, since what is refused depends on it.
    """

    def __init__(self, course: Course, assignment: Assignment, isolation: str) -> None:
        files = grader_files(assignment.module)
        # Now, not in keys(): Python 3.11 fails at times when two threads parse at once.
        graders = {
            exercise.name: [grader_source(file, exercise.name) for file in files]
            for exercise in assignment.exercises
        }
        found = {
            exercise.name: versions(sorted(set().union(*(needs(f, exercise.name) for f in files))))
            for exercise in assignment.exercises
        }
        solutions = solutions_folder(course.root)
        quiz = solutions / "quiz" / f"{assignment.name}.toml"
        questions = read_quiz(quiz) if quiz.is_file() else {}
        self._personal = {name for name, question in questions.items() if question.is_personal}
        common = digest(
            {
                "rooms": digest_of_rooms(*SHARED_ROOMS),
                "support": [_file(path) for path in _support(course)],
                "solutions": _tree(solutions, "*.py"),
                "quiz": _file(quiz),
                "data": {
                    name: hashlib.sha256(data).hexdigest()
                    for name, data in course.data_files(assignment.name).items()
                },
                "limits": repr(course.limits.limits()),
                "cuda_points": course.devices.cuda_points,
                "isolation": isolation,
                "versions": _versions(),
            }
        )
        secret = hashlib.sha256(b"verdict key" + course.secret).hexdigest()
        self._written = {one.name for one in assignment.exercises if one.kind == "written"}
        self._exercises = {
            exercise.name: digest(
                [common, secret, graders[exercise.name], astuple(exercise), found[exercise.name]]
            )
            for exercise in assignment.exercises
        }

    @property
    def context(self) -> str:
        """The digest of all that the verdicts of an assignment rest on but the submission."""
        return digest(self._exercises)

    def keys(self, submission: Submission) -> dict[str, str]:
        """The keys of the verdicts on one submission, in hexadecimal, by exercise."""
        content = submission.to_json()
        # Equal work of two students is graded once, but for questions with numbers of one's own.
        owner, written = normalised(content.pop("student")), content.pop("written")
        code = digest(content)
        return {
            name: digest(
                [
                    exercise,
                    written.get(name) if name in self._written else code,
                    owner if name in self._personal else None,
                ]
            )
            for name, exercise in self._exercises.items()
        }


def _support(course: Course) -> list[Path]:
    """Modules beside the graders that graders import: those that no assignment is named after."""
    graders = {module_of(name) for name in course.sources}
    files = sorted((PACKAGE / "hidden").glob("*.py"))
    return [path for path in files if path.stem not in graders]


def solutions_folder(root: Path) -> Path:
    """The course's own reference solutions.

    Raises:
        CourseError: the course has none.
    """
    folder = root / "solutions"
    if not (folder / "__init__.py").is_file():
        raise CourseError(f"{folder} is missing: it holds the solutions that answers are held to.")
    return folder


def grader_source(path: Path, exercise: str) -> str:
    """The part of a grader file that an exercise's verdict depends on.

    That is its own tests and everything in the file that is no test of another exercise, so that a
    change to one grader leaves the verdicts on other exercises standing.
    """
    return "\n".join(piece for own, piece, _ in _pieces(path) if own in (None, exercise))


def needs(path: Path, exercise: str) -> set[str]:
    """The packages without which an exercise's tests in a grader file wait."""
    return {name for own, _, names in _pieces(path) if own == exercise for name in names}


@cache
def _pieces(path: Path) -> list[tuple[str | None, str, list[str]]]:
    """The statements of a grader file, each with the exercise it tests and what it needs."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    return [(_exercise_of(node), ast.dump(node), _needs_of(node)) for node in tree.body]


def _needs_of(node: ast.stmt) -> list[str]:
    for decorator in getattr(node, "decorator_list", ()):
        match decorator:
            case ast.Call(func=ast.Attribute(attr="needs"), args=[package, *_]):
                return [ast.literal_eval(package)]
    return []


def _exercise_of(node: ast.stmt) -> str | None:
    for decorator in getattr(node, "decorator_list", ()):
        match decorator:
            case ast.Call(
                func=ast.Name(id="exercise" | "probe"), args=[ast.Constant(value=str(name))]
            ):
                return name
    return None


@cache
def digest_of_program() -> str:
    """The digest of what runs here: our own files, Python, and packages that verdicts rest on."""
    return digest([digest_of_rooms(*SHARED_ROOMS, "hidden"), _versions()])


def _versions() -> list[str]:
    # Without what a build adds, such as +cpu: machines with a GPU have another build of the same.
    packages = [importlib.metadata.version(name).partition("+")[0] for name in VERSIONED]
    return [platform.python_version(), platform.machine(), *packages]


def digest_of_rooms(*rooms: str) -> str:
    """The digest of the program's files in these rooms."""
    return digest([_tree(PACKAGE / room) for room in rooms])


def digest(value: Any) -> str:
    """The SHA-256 of a JSON value, in hexadecimal."""
    return hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()


@cache
def _file(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""


def _tree(folder: Path, pattern: str = "**/*") -> list[list[str]]:
    found = (path for path in folder.glob(pattern) if path.suffix in PROGRAM)
    files = sorted(path for path in found if path.parent.name != "hints")  # they grade nothing
    return [[path.relative_to(folder).as_posix(), _file(path)] for path in files]
