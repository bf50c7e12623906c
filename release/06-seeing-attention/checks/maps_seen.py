"""A drawn heatmap as its reader sees it: which number stands where, and what is written beside it.

However it was drawn, by `imshow` or `pcolormesh`, from above or from below, the same picture reads
the same.
"""

from collections.abc import Iterable

import numpy as np

from checks.kit.drawn import DrawnAxes
from checks.kit.expectation import Mismatch, same

_NEAR = 0.2  # of a cell: how far from a cell's middle its tick may stand


def table_seen(drawn: DrawnAxes) -> np.ndarray | None:
    """The numbers behind the colours, the top row first; None where there is no heatmap."""
    if drawn.mesh is None or drawn.rows_from_top:
        return drawn.mesh
    return drawn.mesh[::-1]


def row_names(drawn: DrawnAxes) -> list[str]:
    """What is written at the middle of each row, the top row first; empty where nothing is."""
    names = _names(drawn.mesh_rows, zip(drawn.yticks, drawn.yticklabels, strict=False))
    return names if drawn.rows_from_top else names[::-1]


def column_names(drawn: DrawnAxes) -> list[str]:
    """What is written at the middle of each column; empty where nothing is."""
    return _names(drawn.mesh_columns, zip(drawn.xticks, drawn.xticklabels, strict=False))


def expect_table(drawn: DrawnAxes, wanted: np.ndarray, place: str) -> None:
    """State the numbers of a heatmap, and that its first row is on top."""
    seen = table_seen(drawn)
    if seen is None:
        says = "There is no heatmap in these Axes. What draws a table of numbers as colours?"
        raise Mismatch(f"{place}no heatmap", f"{place}{told(wanted)}", says)
    if not same(seen, wanted):
        says = "The numbers behind the colours are not the weights."
        if seen.size < wanted.size:
            says = "Some cells cannot be seen. From where to where do your Axes reach?"
        elif same(seen, wanted.T):
            says = "Rows and columns are swapped: row i should belong to query i."
        elif same(seen, wanted[::-1]):
            says = "Query 0 stands at the bottom. A matrix is written from the top down."
        words = f"{place}from the top\n{told(seen)}", f"{place}from the top\n{told(wanted)}"
        raise Mismatch(*words, says)


def expect_names(drawn: DrawnAxes, tokens: list[str]) -> None:
    """State that each row and each column has its own token at the middle of the cell."""
    for what, names in (("columns", column_names(drawn)), ("rows", row_names(drawn))):
        if names != tokens:
            says = "Every row and every column needs its own token, at the middle of the cell."
            if not any(names):
                says = "No token can be seen there: none at the middle of a cell, or none at all."
            raise Mismatch(f"{what}: {names}", f"{what}: {tokens}", says)


def told(table: np.ndarray) -> str:
    """A table of numbers as text."""
    return np.array2string(table, precision=4, suppress_small=True, max_line_width=100)


def _names(middles: tuple[float, ...], ticks: Iterable[tuple[float, str]]) -> list[str]:
    step = abs(middles[1] - middles[0]) if len(middles) > 1 else 1.0
    written = [(place, text) for place, text in ticks if text]
    return [
        next((text for place, text in written if abs(place - middle) <= _NEAR * step), "")
        for middle in middles
    ]
