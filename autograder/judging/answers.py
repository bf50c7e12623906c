"""Runs trusted answers, the reference's and the bank's, as a student's notebook holds them."""

import __future__

import ast
import importlib
import inspect
import linecache
import os
import re
import tempfile
import textwrap
from collections.abc import Callable, Mapping
from functools import cache, lru_cache, partial
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from autograder.bank import Mistake, Variant
from autograder.checks.kit.local_student import LocalStudent
from autograder.course.errors import CourseError
from autograder.course.exercise_cell import definitions_of, first_line
from autograder.course.own_code import served
from autograder.student.asked import Asked

# Annotations stay text: evaluated, jaxtyping makes a class of each, kept as long as the answer is.
UNEVALUATED = __future__.annotations.compiler_flag

BROKEN = "broken"  # what students repair defines the same names

# Trusted answers run on the CPU, and Triton asks for this once, when it is imported.
os.environ.setdefault("TRITON_INTERPRET", "1")


@cache
def solution_file(exercise: str) -> Path:
    """The module of `solutions` that defines the exercise, which need not run on this machine.

    Raises:
        LookupError: no module does.
    """
    defined = re.compile(rf"^(?:class|def) {re.escape(exercise)}\b", re.MULTILINE)
    for path in sorted((served() / "solutions").glob("*/*.py")):
        if path.stem != BROKEN and defined.search(path.read_text(encoding="utf-8")):
            return path
    raise LookupError(f"no module of solutions defines {exercise!r}")


@cache
def solution_module(exercise: str) -> ModuleType:
    """That module, imported.

    Raises:
        LookupError: no module does.
        ImportError: it needs what is not installed here.
    """
    path = solution_file(exercise)
    return importlib.import_module(f"solutions.{path.parent.name}.{path.stem}")


@cache
def reference_source(exercise: str) -> str:
    """The source of the reference, as it stands in `solutions`."""
    text = solution_file(exercise).read_text(encoding="utf-8")
    lines = text.splitlines(keepends=True)
    nodes = definitions_of(ast.parse(text), exercise)
    blocks = [inspect.getblock(lines[first_line(node) - 1 :]) for node in nodes]
    return "\n\n".join("".join(block) for block in blocks)


def standing_before(exercise: str) -> list[ast.stmt]:
    """What stands in the solution's module before the exercise: imports, and earlier exercises."""
    tree = ast.parse(solution_file(exercise).read_text(encoding="utf-8"))
    return tree.body[: tree.body.index(definitions_of(tree, exercise)[0])]


def source_of(entry: Mistake | Variant) -> str:
    """The source of an entry's cell.

    Raises:
        CourseError: a replacement does not fit the reference; the text says which.
    """
    if entry.code:
        return textwrap.dedent(entry.code).strip() + "\n"
    assert isinstance(entry, Mistake)
    source = reference_source(entry.exercise)
    for old, new in entry.change:
        if source.count(old) != 1:
            raise CourseError(
                f"{entry.exercise}, mistake {entry.slug}: {old!r} stands {source.count(old)} times "
                "in the reference, and must stand there once. Name a longer text, or write `code`."
            )
        source = source.replace(old, new)
    return source


def student_with(exercise: str, source: str) -> LocalStudent:
    """A student whose notebook is the solution's up to the exercise, and then `source`.

    Args:
        exercise: the exercise's name.
        source: its cell.
    """
    return TrustedStudent(namespace_with(exercise, source), {exercise: source})


def namespace_with(exercise: str, source: str) -> dict[str, object]:
    """What such a notebook binds.

    Args:
        exercise: the exercise's name.
        source: its cell.
    """
    namespace: dict[str, object] = {"__name__": "__main__"}
    exec(_before(exercise), namespace)
    exec(_cell(exercise, source), namespace)
    return namespace


class TrustedStudent(LocalStudent):
    """A student whose files lie apart in each process that was forked with it.

    Args:
        namespace: what its notebook binds.
        cells: the source of each exercise's own cell, as a student in the sandbox has it.

    Attributes:
        asked: the last call, likewise.
        stops: no cell of it has stopped.
    """

    asked: Asked | None = None
    stops: None = None

    def __init__(self, namespace: dict[str, object], cells: Mapping[str, str]) -> None:
        super().__init__(namespace)
        self.cells = cells

    def _call(
        self,
        function: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        as_sent: bool = True,
    ) -> Any:
        again = partial(self._call, function)
        if inspect.isfunction(function) or inspect.isclass(function):
            self.asked = Asked(function.__name__, args, kwargs, again)
        else:
            self.asked = None if inspect.ismethod(function) else Asked(None, args, kwargs, again)
        return super()._call(function, args, kwargs, as_sent)

    def place(self, path: str, content: bytes | Mapping[str, bytes]) -> str:
        """Write a file or a folder into this process's own scratch folder."""
        self._folder = Path(_scratch(os.getpid()).name)
        return super().place(path, content)


@cache
def _scratch(process: int) -> tempfile.TemporaryDirectory[str]:
    """Where trusted answers find the files that graders place; gone when the process exits.

    A fork that ends by `os._exit` leaves it in its temporary folder.
    """
    return tempfile.TemporaryDirectory(prefix=f"autograder-answers-{process}-")


@lru_cache(maxsize=64)
def _cell(exercise: str, source: str) -> CodeType:
    """A cell compiled, kept for the tests that follow on the same answer.

    Its lines are where Python looks for the source of what it defines: Triton compiles a kernel
    from its text.
    """
    name = f"<{exercise} {hash(source):x}>"
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    return compile(source, name, "exec", UNEVALUATED)


@cache
def _before(exercise: str) -> CodeType:
    """What stands in the solution's module before the exercise, compiled."""
    tree = ast.Module(standing_before(exercise), [])
    return compile(tree, f"<before {exercise}>", "exec", UNEVALUATED)
