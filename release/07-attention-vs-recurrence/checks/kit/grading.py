"""What a release says of grading: its Python, its packages, and the cells that are graded.

`grading.json` stands in `checks` in every release; the build writes it. Code that a newer Python
reads, and the one that grades does not, is told from slips that no Python reads.
"""

from __future__ import annotations

import ast
import io
import json
import re
import sys
import tokenize
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).resolve().parents[1] / "grading.json"

_QUOTES = "an f-string that uses its own quotation marks within its braces"
_LINES = "an f-string whose braces hold several lines"
_BACKSLASH = "an f-string with a backslash or a comment within its braces"
_TYPE = "a `type` statement"
_BRACKETS = "a definition with `[T]` behind its name"
_TEMPLATE = "a t-string"
_EXCEPT = "`except` with several kinds of errors and no brackets"
_SINCE = {
    _QUOTES: 12,
    _LINES: 12,
    _BACKSLASH: 12,
    _TYPE: 12,
    _BRACKETS: 12,
    _TEMPLATE: 14,
    _EXCEPT: 14,
}
# What a Python says that is too old, and what the line looks like.
_SAID = (
    (r"f-string.*(backslash|#)", r"", _BACKSLASH),
    (r"f-string", r"[fF][rR]?([\"'])((?!\1).)*\{[^}]*\1.*\}", _QUOTES),
    (r"invalid syntax", r"^\s*type\s+\w+\s*(\[.*)?=", _TYPE),
    (r"", r"^\s*(async\s+)?(def|class)\s+\w+\s*\[", _BRACKETS),
    (r"invalid syntax", r"\b[tT][rR]?[\"']", _TEMPLATE),
    (r"multiple exception types", r"", _EXCEPT),
)


@dataclass(frozen=True)
class Grading:
    """What a release says of grading.

    Attributes:
        assignment: the assignment's name, which its folder and its notebook have.
        cells: the cells that are graded or answered, by nbgrader's name, and of what kind each is:
            "code", "quiz", "written", or "test".
        python: the Python that grades, such as "3.11".
        packages: those of the course, as pip names them.
        modules: what packages have to import there, with all that they require.
    """

    assignment: str
    cells: Mapping[str, str]
    python: str
    packages: tuple[str, ...]
    modules: frozenset[str]

    @property
    def minor(self) -> int:
        """The 11 of Python 3.11."""
        return int(self.python.split(".")[1])

    def has(self, module: str) -> bool:
        """Whether a module can be imported there, as far as its package goes."""
        top = module.partition(".")[0]
        return top in self.modules or top in sys.stdlib_module_names or top == "checks"

    def of_kind(self, kind: str) -> list[str]:
        """The names of the cells of one kind, in the notebook's order."""
        return [name for name, its in self.cells.items() if its == kind]


@cache
def grading() -> Grading | None:
    """What this release says; None in a course's own folder."""
    try:
        found = json.loads(FILE.read_text(encoding="utf-8"))
        packages, modules = tuple(found["packages"]), frozenset(found["modules"])
        return Grading(found["assignment"], found["cells"], found["python"], packages, modules)
    except (OSError, ValueError, KeyError):
        return None


def too_new(error: SyntaxError, minor: int) -> str | None:
    """What to say of an error that a newer Python may not find; None for any other.

    Args:
        error: what this Python raised.
        minor: the 11 of Python 3.11, which grades.
    """
    for said, looks, what in _SAID:
        if minor < _SINCE[what] and re.search(said, error.msg) and re.search(looks, _line(error)):
            return _told(what, minor)
    return None


def newer_syntax(source: str, minor: int) -> tuple[int, str] | None:
    """The first line that this Python reads and an older one that grades does not, and why.

    Args:
        source: Python that can be read here.
        minor: the 11 of Python 3.11, which grades.
    """
    found = [(line, what) for line, what in _newer(source) if minor < _SINCE[what]]
    if not found:
        return None
    line, what = min(found)
    return line, _told(what, minor)


def _told(what: str, minor: int) -> str:
    return f"Python 3.{minor} grades, and cannot read {what}; Python 3.{_SINCE[what]} and newer can"


def _line(error: SyntaxError) -> str:
    return error.text or ""


def _newer(source: str) -> Iterator[tuple[int, str]]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tree = ast.parse(source)
    for node in ast.walk(tree):
        kind = type(node).__name__
        if kind == "TypeAlias":
            yield node.lineno, _TYPE  # type: ignore[attr-defined]
        elif kind == "TemplateStr":
            yield node.lineno, _TEMPLATE  # type: ignore[attr-defined]
        elif getattr(node, "type_params", None):
            yield node.lineno, _BRACKETS  # type: ignore[attr-defined]
        elif isinstance(node, ast.ExceptHandler) and isinstance(node.type, ast.Tuple):
            start = source.splitlines()[node.type.lineno - 1][node.type.col_offset :]
            if not start.startswith("("):
                yield node.lineno, _EXCEPT
    if sys.version_info >= (3, 12):
        yield from _within_f_strings(source)


def _within_f_strings(source: str) -> Iterator[tuple[int, str]]:
    """What stands within the braces of f-strings that only Python 3.12 and newer read."""
    marks: list[str] = []  # of the f-strings that are open
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        kind = tokenize.tok_name[token.type]
        mark = token.string.lstrip("rRbBuUfFtT")[:3]
        mark = mark if mark in ('"""', "'''") else mark[:1]
        if marks and kind in ("FSTRING_START", "STRING") and mark == marks[-1]:
            yield token.start[0], _QUOTES
        if marks and (kind == "COMMENT" or (kind == "STRING" and "\\" in token.string)):
            yield token.start[0], _BACKSLASH
        goes_on = kind == "NL" or (kind == "STRING" and token.start[0] != token.end[0])
        if goes_on and any(len(one) == 1 for one in marks):
            yield token.start[0], _LINES
        if kind == "FSTRING_START":
            marks.append(mark)
        elif kind == "FSTRING_END":
            marks.pop()
