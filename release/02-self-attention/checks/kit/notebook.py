"""A saved notebook without Jupyter: its cells, and what runs them in this process."""

import json
import linecache
import os
import re
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from .discovery import checks_package
from .magics import Magics, as_python

CELL = "<cell {}>"

FOLDER = Path(__file__).resolve().parents[2]
"""The student's: that of the notebook and of `checks`."""


class NoNotebook(Exception):
    """There is no notebook to run; the text says where one was looked for."""


@dataclass(frozen=True)
class CellError:
    """What a cell of the notebook raised.

    Attributes:
        cell: the cell's number, counting text and code from 1.
        line: the line of that cell, or None.
        code: that line's text.
        says: the exception, as Python names it.
    """

    cell: int
    line: int | None
    code: str
    says: str

    def __str__(self) -> str:
        where = f", line {self.line}" if self.line else ""
        shown = f"\n      {self.code}" if self.code else ""
        return f"Cell {self.cell}{where}: {self.says}{shown}"


def find_notebook(folder: Path) -> Path:
    """The notebook of a student's folder: the one named as the folder, or the only one.

    Raises:
        NoNotebook: there is none, or there are several.
    """
    named = folder / f"{folder.name}.ipynb"
    found = sorted(folder.glob("*.ipynb"))
    if named in found or len(found) == 1:
        return named if named in found else found[0]
    names = ", ".join(path.name for path in found)
    raise NoNotebook(
        f"{folder} holds several notebooks ({names}). Name one: --notebook {found[0].name}"
        if found
        else f"{folder} holds no notebook. Save it there, beside the folder checks."
    )


def read_cells(path: Path) -> list[dict[str, Any]]:
    """The cells of a notebook, each with its text as one string.

    Raises:
        NoNotebook: the file is not there, or no notebook.
    """
    try:
        cells = json.loads(path.read_text(encoding="utf-8-sig"))["cells"]
        return [cell | {"source": "".join(cell["source"])} for cell in cells]
    except OSError as error:
        raise NoNotebook(f"{path} cannot be read: {error.strerror}.") from error
    except (ValueError, KeyError, TypeError) as error:
        raise NoNotebook(f"{path} is no notebook that can be read. Save it once more.") from error


def saved_cells() -> list[dict[str, Any]]:
    """The cells of the notebook beside the checks; none where it cannot be told which that is."""
    try:
        return read_cells(find_notebook(FOLDER))
    except NoNotebook:
        return []


class Run:
    """A notebook that is being run, or has been.

    Attributes:
        module: stands for `__main__`.
    """

    def __init__(self) -> None:
        self.module = ModuleType("__main__")
        self.namespace.update(display=_display, get_ipython=lambda: Magics(self.namespace))

    @property
    def namespace(self) -> dict[str, Any]:
        """The names that the cells have bound so far."""
        return vars(self.module)

    def cell(self, number: int, source: str) -> CellError | None:
        """Run one cell; give what it raises."""
        name, text = CELL.format(number), as_python(source)
        # So that tracebacks and inspect.getsource() find the code.
        linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
        try:
            exec(compile(text, name, "exec", dont_inherit=True), self.namespace)
        except BaseException as error:  # exit() too ends a cell here, and not the run
            return _cell_error(number, name, text, error)
        finally:
            if "matplotlib.pyplot" in sys.modules:
                sys.modules["matplotlib.pyplot"].close("all")
        return None


def _cell_error(number: int, name: str, text: str, error: BaseException) -> CellError:
    """Where the cell's own code stopped, or could not be read."""
    lines = [
        frame.lineno
        for frame in traceback.extract_tb(error.__traceback__)
        if frame.filename == name
    ]
    line = lines[-1] if lines else None
    if isinstance(error, SyntaxError) and error.filename == name:
        line = error.lineno
    code = text.splitlines()[line - 1].strip() if line and line <= len(text.splitlines()) else ""
    says = traceback.format_exception_only(error)[-1].strip()
    return CellError(number, line, code, says)


def _display(*values: Any, **_: Any) -> None:
    for value in values:
        sys.stdout.write(f"{value!r}\n")


@contextmanager
def as_in_jupyter(
    folder: Path, module: ModuleType, replaced: dict[str, Callable[..., Any]]
) -> Iterator[None]:
    """The notebook's folder, its `__main__`, and pictures that are drawn and never shown.

    Args:
        folder: the notebook's; the working directory meanwhile.
        module: stands for `__main__`.
        replaced: what `check`, `hint` and the like of this package do meanwhile.
    """
    package = checks_package()
    kept = {name: getattr(package, name) for name in replaced}
    main, where, path = sys.modules["__main__"], Path.cwd(), list(sys.path)
    os.environ["MPLBACKEND"] = "Agg"
    sys.modules["__main__"] = module
    sys.path.insert(0, str(folder))
    os.chdir(folder)
    vars(package).update(replaced)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", message=re.escape("FigureCanvasAgg is non-inter"))
            yield
    finally:
        vars(package).update(kept)
        sys.modules["__main__"] = main
        sys.path[:] = path
        os.chdir(where)
