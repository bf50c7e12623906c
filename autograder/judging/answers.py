"""Runs trusted answers, the reference's and the bank's, as a student's notebook holds them."""

import ast
import importlib
import inspect
import pkgutil
import tempfile
import textwrap
from collections.abc import Mapping
from functools import cache, lru_cache
from pathlib import Path
from types import CodeType, MappingProxyType, ModuleType

import solutions
from autograder.checks.local_student import LocalStudent
from autograder.misconceptions import Mistake
from autograder.variants import Variant


@cache
def solution_module(exercise: str) -> ModuleType:
    """The module of `solutions` that defines the exercise.

    Raises:
        LookupError: no module does.
    """
    for found in pkgutil.iter_modules(solutions.__path__, "solutions."):
        if found.ispkg:
            continue
        module = importlib.import_module(found.name)
        if getattr(getattr(module, exercise, None), "__module__", None) == module.__name__:
            return module
    raise LookupError(f"no module of solutions defines {exercise!r}")


@cache
def reference_source(exercise: str) -> str:
    """The source of the reference, as it stands in `solutions`."""
    return inspect.getsource(getattr(solution_module(exercise), exercise))


def source_of(entry: Mistake | Variant) -> str:
    """The source of an entry's cell.

    Raises:
        ValueError: a replacement does not fit the reference; the text says which.
    """
    if entry.code:
        return textwrap.dedent(entry.code).strip() + "\n"
    assert isinstance(entry, Mistake)
    source = reference_source(entry.exercise)
    for old, new in entry.change:
        if source.count(old) != 1:
            raise ValueError(
                f"{entry.exercise}/{entry.slug}: {old!r} stands {source.count(old)} times "
                "in the reference, and must stand there once"
            )
        source = source.replace(old, new)
    return source


def student_with(
    exercise: str, source: str, own: Mapping[str, object] = MappingProxyType({})
) -> LocalStudent:
    """A student whose notebook is the solution's up to the exercise, and then `source`.

    Args:
        exercise: the exercise's name.
        source: its cell.
        own: what takes the place of the solution's values, by name.
    """
    namespace: dict[str, object] = {"__name__": "__main__"}
    exec(_before(exercise), namespace)
    namespace.update(own)
    exec(_cell(exercise, source), namespace)
    return LocalStudent(namespace, Path(_scratch().name))


@cache
def _scratch() -> tempfile.TemporaryDirectory[str]:
    """Where trusted answers find the files that graders place; gone when this process ends."""
    return tempfile.TemporaryDirectory(prefix="autograder-answers-")


@lru_cache(maxsize=64)
def _cell(exercise: str, source: str) -> CodeType:
    """A cell compiled, kept for the tests that follow on the same answer."""
    return compile(source, f"<{exercise}>", "exec")


@cache
def _before(exercise: str) -> CodeType:
    """What stands in the solution's module before the exercise: imports, and earlier exercises."""
    body = ast.parse(inspect.getsource(solution_module(exercise))).body
    here = [getattr(node, "name", None) for node in body].index(exercise)
    return compile(ast.Module(body[:here], []), f"<before {exercise}>", "exec")
