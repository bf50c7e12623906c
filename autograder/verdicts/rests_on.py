"""What of a course the verdicts on one exercise rest on, file by file, as these import each other.

Its hidden tests, probe and public example come first, and the known answers that stand with them;
then what they import, and so on. Of a file that several exercises share, the others' tests are
left out. So a change to one exercise's graders leaves the verdicts on all others standing.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from autograder.course.exercise_cell import definitions_of
from autograder.course.layout import (
    KNOWN_ANSWERS,
    checks_folder,
    grader_files,
    graders_folder,
    reference_file,
)
from autograder.verdicts.program import UNTOLD, exercise_of, parsed


def rests_on(root: Path, assignment: str, exercise: str) -> list[tuple[str, str]]:
    """The course's Python that an exercise's verdicts rest on: path from the root, and content.

    Args:
        root: the course's folder.
        assignment: the assignment's name.
        exercise: the exercise's name.
    """
    left = list(_starts(root, assignment, exercise))
    found: set[Path] = set()
    while left:
        path = left.pop()
        if path not in found:
            found.add(path)
            left += [file for name in _imported(root, path) for file in _files_of(root, name)]
    return [(path.relative_to(root).as_posix(), _text(path, exercise)) for path in sorted(found)]


def packages_needed(root: Path, assignment: str, exercise: str) -> set[str]:
    """The packages without which an exercise's hidden tests wait."""
    return {
        name
        for path in grader_files(root, assignment)
        for node in parsed(path).body
        if exercise_of(node) in (exercise, UNTOLD)
        for name in _needed(node)
    }


def _starts(root: Path, assignment: str, exercise: str) -> Iterator[Path]:
    checks = sorted(checks_folder(root, assignment).glob("*.py"))
    for path in (*grader_files(root, assignment), *checks):
        if any(exercise_of(node) in (exercise, UNTOLD) for node in parsed(path).body):
            yield path
    for path in sorted(graders_folder(root, assignment).rglob("*.py")):
        if path.stem.startswith(KNOWN_ANSWERS) and exercise in _strings(parsed(path)):
            yield path
    reference = reference_file(root, assignment, exercise)
    if reference.is_file() and definitions_of(parsed(reference), exercise):
        yield reference


def _text(path: Path, exercise: str) -> str:
    kept = (node for node in parsed(path).body if exercise_of(node) in (None, UNTOLD, exercise))
    return "\n".join(map(_dumped, kept))


@cache
def _dumped(node: ast.stmt) -> str:
    return ast.dump(node)


@cache
def _strings(tree: ast.Module) -> frozenset[str]:
    nodes = ast.walk(tree)
    return frozenset(
        node.value
        for node in nodes
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )


def _imported(root: Path, path: Path) -> tuple[str, ...]:
    """What a file imports, at its top or later, and what may be a module among it."""
    *package, _ = path.relative_to(root).parts
    of_checks = package[0] == "assignments" and package[-1] == "checks"
    return _names_imported(parsed(path), ("checks",) if of_checks else tuple(package))


@cache
def _names_imported(tree: ast.Module, package: tuple[str, ...]) -> tuple[str, ...]:
    names: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) + 1 - node.level] if node.level else ()
            module = ".".join([*above, *filter(None, [node.module])])
            names += [module, *(f"{module}.{alias.name}" for alias in node.names)]
    return tuple(names)


def _files_of(root: Path, name: str) -> Iterator[Path]:
    package, _, rest = name.partition(".")
    if package in ("graders", "solutions"):
        path = root.joinpath(*name.split("."))
        candidates = [path.with_suffix(".py"), path / "__init__.py"]
    elif package == "checks" and rest:
        candidates = sorted(root.glob(f"assignments/*/checks/{rest}.py"))
    else:  # a module that stands beside a notebook, or an installed one
        candidates = sorted(root.glob(f"assignments/*/{package}.py"))
    yield from (path for path in candidates if path.is_file())


def _needed(node: ast.stmt) -> list[str]:
    for decorator in getattr(node, "decorator_list", ()):
        match decorator:
            case ast.Call(func=ast.Attribute(attr="needs"), args=[package, *_]):
                return [ast.literal_eval(package)]
    return []
