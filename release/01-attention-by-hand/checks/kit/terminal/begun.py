"""Which exercises have an answer by the notebook's text alone, and where it stands."""

import ast
from collections.abc import Iterator, Sequence

from ..cell_names import UNREADABLE, CodeCell
from ..magics import as_python


def stubs_in(source: str) -> Iterator[str]:
    """What a cell defines that can do nothing but raise NotImplementedError."""
    try:
        body = ast.parse(as_python(source)).body
    except UNREADABLE:
        return
    for node in body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            last = ast.unparse(node.body[-1])
            gives = any(isinstance(one, ast.Return | ast.Yield) for one in ast.walk(node))
            if last.startswith("raise NotImplementedError") and not gives:
                yield node.name


def written_in(name: str, cells: Sequence[CodeCell]) -> int | None:
    """The number of the last cell that binds an exercise's name to something else than a stub."""
    numbers = [
        cell.number
        for cell in cells
        if name in cell.names.binds and name not in stubs_in(cell.source)
    ]
    return numbers[-1] if numbers else None
