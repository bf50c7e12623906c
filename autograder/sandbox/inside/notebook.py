"""A submission's notebook: runs its cells in order and holds the names that they bind."""

import contextlib
import sys
from collections.abc import Iterable
from typing import Any

from autograder.checks.kit.judged import Definitions

from .failure import describe, line_of
from .not_there import MOST_NOTICED, StandsForMissing
from .output import BoundedOutput
from .shell import GradingShell


class Unbound(Exception):
    """No cell bound the name by the time it was to be kept."""


class Notebook:
    """Runs cells in the shell's namespace.

    Args:
        shell: the shell that every submission starts from.
        output_bytes: bytes of printed text kept a cell.
    """

    def __init__(self, shell: GradingShell, output_bytes: int) -> None:
        self._shell = shell
        self._definitions = Definitions(shell.user_ns)
        self._followed: dict[str, None] = {}
        self._stand_ins: dict[str, Any] = {}
        self._cells = 0
        self._output = BoundedOutput(output_bytes)
        sys.stdout = sys.stderr = self._output

    def run_cell(
        self, source: str, own: str | None, checks: Iterable[str], follow: Iterable[str]
    ) -> dict[str, Any]:
        """Run a cell, and follow what it binds.

        Args:
            source: the cell.
            own: the exercise whose own cell it is.
            checks: the exercises whose checks stand below it.
            follow: all exercises of the notebook.

        Returns:
            error, printed, bound and missing, as plain data.
        """
        self._shell.missing.noticed.clear()
        error = self._run(source)
        _close_figures()
        names = self._shell.user_ns
        self._followed |= dict.fromkeys(follow)
        self._definitions.ran(self._cells, self._followed, own, "" if error is not None else source)
        for name in checks:
            self._definitions.reached(name)
        self._cells += 1
        bound = own is not None and own in names
        names.update(self._stand_ins)
        described = None if error is None else self.describe(error)
        return {
            "error": described,
            "printed": self._output.take(),
            "bound": bound,
            "missing": self._missing(),
        }

    def _missing(self) -> list[list[Any]]:
        """What the cell has done without: each import that is not there, and the line."""
        noticed = list(self._shell.missing.noticed.items())[:MOST_NOTICED]
        return [[name, line_of(error)] for name, error in noticed]

    def _run(self, source: str) -> BaseException | None:
        try:
            result = self._shell.run_cell(source, store_history=True)
        except BaseException as error:  # from a hook that the student registered
            return error
        if result is None:  # the student has broken IPython
            return RuntimeError("the cell was not run")
        return result.error_before_exec or result.error_in_exec

    def describe(self, error: BaseException) -> dict[str, Any]:
        """An exception of a cell or of a call, as plain data."""
        return describe(error, self._shell.missing.behind(error))

    def bind(self, name: str, value: Any) -> None:
        """Let a name stand for a value of ours: in the cells that follow, and in graded calls."""
        self._shell.user_ns[name] = self._stand_ins[name] = value

    def judged(self) -> dict[str, tuple[str, int]]:
        """All cells have run: of each exercise which definition is judged, and of which cell.

        Where a stub has taken a name from what is judged, what calls it is given that.
        """
        self._shell.user_ns.update(self._definitions.mended())
        found = ((name, self._definitions.judged(name)) for name in self._followed)
        return {name: (one.where, one.cell) for name, one in found if one is not None}

    def look_up(self, name: str) -> Any:
        """What a name stands for in graded calls.

        Raises:
            Unbound: it stands for nothing.
            NotThere: it stands for an import that is not there, or needed one.
        """
        value = self._shell.user_ns.get(name, self)
        if name in self._followed and name not in self._stand_ins:
            found = self._definitions.judged(name)
            value = found.value if found is not None else value
            if found is None and not isinstance(value, StandsForMissing):
                raise Unbound(name)
        if value is self:
            raise Unbound(name)
        if isinstance(value, StandsForMissing):
            value.use()
        return value

    def forget_output(self) -> None:
        """Drop what was printed since the last cell: it may show hidden inputs."""
        self._output.take()


def _close_figures() -> None:
    """Close every figure after a cell, as Jupyter does when it has shown them."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        with contextlib.suppress(BaseException):  # the student may have put anything in its place
            pyplot.close("all")
