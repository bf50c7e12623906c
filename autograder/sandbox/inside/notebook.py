"""A submission's notebook: runs its cells in order and holds the names that they bind."""

import contextlib
import sys
from typing import Any

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
        self._kept: dict[str, Any] = {}
        self._kept_names: set[str] = set()
        self._output = BoundedOutput(output_bytes)
        sys.stdout = sys.stderr = self._output

    def run_cell(self, source: str, keep: str | None) -> dict[str, Any]:
        """Run a cell, and hold on to what one name is bound to right after it.

        Returns:
            error, printed, bound and missing, as plain data.
        """
        self._shell.missing.noticed.clear()
        error = self._run(source)
        _close_figures()
        names = self._shell.user_ns
        bound = keep is not None and keep in names
        if keep is not None:
            self._kept_names.add(keep)
            self._kept.pop(keep, None)
            if bound:
                self._kept[keep] = names[keep]
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
        self._shell.user_ns[name] = self._kept[name] = value
        self._kept_names.add(name)

    def look_up(self, name: str) -> Any:
        """What a name stands for in graded calls.

        Raises:
            Unbound: it stands for nothing.
            NotThere: it stands for an import that is not there, or needed one.
        """
        names = self._kept if name in self._kept_names else self._shell.user_ns
        if name not in names:
            raise Unbound(name)
        if isinstance(names[name], StandsForMissing):
            names[name].use()
        return names[name]

    def forget_output(self) -> None:
        """Drop what was printed since the last cell: it may show hidden inputs."""
        self._output.take()


def _close_figures() -> None:
    """Close every figure after a cell, as Jupyter does when it has shown them."""
    pyplot = sys.modules.get("matplotlib.pyplot")
    if pyplot is not None:
        with contextlib.suppress(BaseException):  # the student may have put anything in its place
            pyplot.close("all")
