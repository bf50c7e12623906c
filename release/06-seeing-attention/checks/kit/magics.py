"""What is no Python in a notebook's cells, `%matplotlib inline` or `!ls`, made harmless."""

import re
from typing import Any

RUNS_CODE = {"time", "timeit", "capture", "prun"}
"""Magics whose code is run; all others have no effect."""
_CELL_MAGIC = re.compile(r"\s*%%(\w+)[^\n]*\n?")
_TIMED = re.compile(
    rf"^([ \t]*)%(?:{'|'.join(sorted(RUNS_CODE))})[ \t]+(?:-\w+[ \t]+(?:\d+[ \t]+)?)*", re.MULTILINE
)
_GIVEN = re.compile(r"^([\w., \t]+=)[ \t]*[%!].*$", re.MULTILINE)
_NO_PYTHON = re.compile(r"^([ \t]*)[%!?].*$", re.MULTILINE)


def as_python(source: str) -> str:
    """A cell as Python, as IPython itself reads it where that is installed."""
    try:
        compile(source, "<cell>", "exec", dont_inherit=True)
        return source
    except (SyntaxError, ValueError):
        pass
    try:
        from IPython.core.inputtransformer2 import TransformerManager
    except ImportError:
        return without_magics(source)
    try:
        return TransformerManager().transform_cell(source)
    except SyntaxError:  # running it will say what is wrong
        return source


def without_magics(source: str) -> str:
    """A cell with the code that its magics time in their place, and `pass` for all others.

    It takes time in proportion to the text, whatever that is, and IPython's own reading does not.
    """
    if whole := _CELL_MAGIC.match(source):
        if whole[1] not in RUNS_CODE:
            return "pass"
        source = source[whole.end() :]
    source = _TIMED.sub(r"\1", source)
    return _NO_PYTHON.sub(r"\1pass", _GIVEN.sub(r"\1 None", source))


class Magics:
    """Stands for IPython's shell: runs the code that a magic times, and nothing else.

    Args:
        namespace: the notebook's names.
    """

    def __init__(self, namespace: dict[str, Any]) -> None:
        self._namespace = namespace

    def run_line_magic(self, name: str, line: str, *_: Any, **__: Any) -> None:
        """`%time x = f()` runs its code; `%matplotlib inline` has no effect."""
        self._run(name, line)

    def run_cell_magic(self, name: str, line: str, cell: str) -> None:
        """`%%time` runs the cell; `%%html` and the like have no effect."""
        self._run(name, cell)

    def getoutput(self, *_: Any, **__: Any) -> list[str]:
        """`files = !ls`: shell commands are not run here."""
        return []

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        return lambda *_, **__: None

    def _run(self, name: str, code: str) -> None:
        if name in RUNS_CODE:
            exec(compile(as_python(code), f"<%{name}>", "exec", dont_inherit=True), self._namespace)
