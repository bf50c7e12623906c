"""`python -m checks list`: what is to be done in a notebook, and what of it was begun."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..cell_names import GRADED, code_cells, grade_id, is_untouched
from ..hinting import ladders
from .begun import written_in
from .style import Style


def listing(heading: str, cells: Iterable[dict[str, Any]], style: Style) -> list[str]:
    """A line for each exercise, question and written answer; nothing of the notebook runs.

    Args:
        heading: the notebook's name.
        cells: its cells, each with its text as one string.
        style: how it is to look.
    """
    rows = list(_rows(list(cells)))
    wide = max((len(name) for _, name, _, _ in rows), default=0)
    begun = sum(is_begun for _, _, _, is_begun in rows)
    lines = [style.colour(f"{heading}: {begun} of {len(rows)} begun", "bold")]
    for number, name, what, is_begun in rows:
        mark = style.signs["done" if is_begun else "open"]
        told = f"{mark} {name:<{wide}}  cell {number:>3}, {what}"
        lines.append(style.cut(told + ("" if is_begun else ", not begun")))
    return lines


def _rows(cells: list[dict[str, Any]]) -> Iterator[tuple[int, str, str, bool]]:
    """Number, name, points and hints, and whether it was begun, of every cell for an answer."""
    marks = {grade_id(cell): _mark(cell) for cell in cells}
    code = [cell for cell in code_cells(cells) if not cell.is_untouched]
    for number, cell in enumerate(cells, 1):
        name = grade_id(cell)
        if name is None or not _mark(cell).get("solution"):
            continue
        points = marks.get(GRADED + name, _mark(cell)).get("points")
        parts = [_points(points) if isinstance(points, int | float) and points else "no points"]
        parts += ["with hints"] if name in ladders() else []
        is_begun = not is_untouched(cell) or written_in(name, code) is not None
        yield number, name, ", ".join(parts), is_begun


def _mark(cell: Mapping[str, Any]) -> Mapping[str, Any]:
    mark = cell.get("metadata", {}).get("nbgrader")
    return mark if isinstance(mark, Mapping) else {}


def _points(points: float) -> str:
    told = f"{points:.2f}".rstrip("0").rstrip(".")
    return f"{told} point" + ("" if told == "1" else "s")
