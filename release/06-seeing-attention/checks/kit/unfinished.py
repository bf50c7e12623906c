"""In a notebook, a cell that needs what is not written yet says so in one line, not in a traceback.

A demonstration that calls an exercise's stub stops with NotImplementedError, and a later cell that
reads what it would have made with NameError; one that uses a wrong result, with any error. Each
says which exercise is behind it. All other errors, and all of other cells that are written by the
student, are shown as ever.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Collection
from types import TracebackType
from typing import Any

from .checking import STUB, CheckFailed, checked

Behind = tuple[str, str]
"""An exercise that is behind an error, and what to say of it."""

_LONGEST = 100  # characters of an error's own text


def explain_in_notebook() -> None:
    """From now on, have IPython's shell explain such errors, where there is one."""
    from IPython import get_ipython

    shell = get_ipython()
    if shell is not None and not shell.custom_exceptions:  # another extension's handler stays
        shell.set_custom_exc((Exception,), Unfinished().show)


class Unfinished:
    """Knows which names are missing because of which exercise."""

    def __init__(self) -> None:
        self._missing: dict[str, str] = {}

    def show(
        self,
        shell: Any,
        kind: type[BaseException],
        error: BaseException,
        trace: TracebackType,
        tb_offset: int | None = None,
    ) -> None:
        """IPython's handler of errors: one line, or the usual traceback."""
        line = None if isinstance(error, CheckFailed) else self._line(error, shell)
        if line is not None:
            error._render_traceback_ = lambda: [f"Not yet: {line}"]  # type: ignore[attr-defined]
            if "matplotlib.pyplot" in sys.modules:
                sys.modules["matplotlib.pyplot"].close("all")  # a picture that was only begun
        shell.showtraceback((kind, error, trace), tb_offset=tb_offset)

    def _line(self, error: BaseException, shell: Any) -> str | None:
        from .discovery import exercises_here

        source = shell.user_ns["In"][-1]
        failing = _failing() if _is_demonstration(source) else ()
        return self.explain(error, source, exercises_here(), failing)

    def explain(
        self,
        error: BaseException,
        source: str,
        exercises: Collection[str],
        failing: Collection[str] = (),
    ) -> str | None:
        """The line for an error of a cell; None where no exercise is behind it.

        Args:
            error: what the cell raised.
            source: the cell.
            exercises: the names of the notebook's exercises.
            failing: of a demonstration, those of them whose last check failed.
        """
        behind = (
            self._behind_name(error.name or "", exercises)
            if isinstance(error, NameError)
            else _behind_stub(error, exercises)
        )
        behind = behind or _behind_result(error, source, failing)
        if behind is None:
            return None
        exercise, why = behind
        self._missing |= dict.fromkeys(_names(source, ast.Store) - set(exercises), exercise)
        return f"this cell needs {why}"

    def _behind_name(self, name: str, exercises: Collection[str]) -> Behind | None:
        if name in exercises:
            return name, f"{name}. Run the cell that defines it first."
        exercise = self._missing.get(name)
        if exercise is None:
            return None
        return exercise, f"{name}, which a cell above makes with {exercise}: begin with {exercise}."


def _behind_stub(error: BaseException, exercises: Collection[str]) -> Behind | None:
    stub = STUB.match(str(error)) if isinstance(error, NotImplementedError) else None
    if stub is None or stub[1] not in exercises:
        return None
    return stub[1], f"{stub[1]}, which is not written yet."


def _behind_result(error: BaseException, source: str, failing: Collection[str]) -> Behind | None:
    """An exercise that is written, and gives a demonstration what it cannot use."""
    used = _names(source, ast.Load)
    exercise = next((name for name in failing if name in used), None)
    if exercise is None:
        return None
    stopped = f"{type(error).__name__}: {error}".splitlines()[0][:_LONGEST]
    return exercise, f"{exercise}, whose check does not pass yet. It stopped with {stopped}"


def _failing() -> list[str]:
    """The exercises whose last check failed, in the order of their first."""
    return [name for name, last in checked.items() if last.found.failure is not None]


def _is_demonstration(source: str) -> bool:
    """Whether a cell is one of the notebook's own that only show something."""
    from .notebook import saved_cells

    return any(
        cell["source"].strip() == source.strip() and cell["metadata"].get("demonstration")
        for cell in saved_cells()
    )


def _names(source: str, used: type[ast.expr_context]) -> set[str]:
    """The names that a cell binds or reads; none where it is not plain Python."""
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError):
        return set()
    return {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, used)}
