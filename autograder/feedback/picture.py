"""The picture of a student's own result on the notebook's example, as a page shows it."""

import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from autograder.checks.kit.chart import Chart
from autograder.feedback.palette import contrast
from autograder.feedback.words import bounded

# Every sixteenth of matplotlib's maps; what lies between is off by at most 11 of 255.
SCALES = {
    # Nuñez, Anderton and Renslow 2018, "Optimizing colormaps ...", PLoS ONE 13(7).
    "cividis": (
        *("#00224e", "#002e6a", "#1a386f", "#32436d", "#434e6c", "#535a6d", "#61656f", "#6f7073"),
        *("#7d7c78", "#8c8878", "#9b9476", "#aba072", "#bcae6c", "#cdbb63", "#dec958", "#f0d846"),
        "#fee838",
    ),
    # Van der Walt and Smith 2015, "A Better Default Colormap for Matplotlib", SciPy.
    "viridis": (
        *("#440154", "#48186a", "#472d7b", "#424086", "#3b528b", "#33638d", "#2c728e", "#26828e"),
        *("#21918c", "#1fa088", "#28ae80", "#3fbc73", "#5ec962", "#84d44b", "#addc30", "#d8e219"),
        "#fde725",
    ),
}
BAD = "#d9d9d9"  # nan and infinity
NUMBER = re.compile(r"-?(\d+\.\d+(e[+-]\d+)?|nan|inf)")
INKS = ("#ffffff", "#000000")  # of these, one has a contrast of 4.58 or more with any colour


@dataclass(frozen=True)
class Cell:
    """One number.

    Attributes:
        text: the number, or what stands for it.
        style: the cell's colours, or the bar's place and length; as CSS, made of numbers.
        framed: whether a frame makes it stand out.
    """

    text: str
    style: str = ""
    framed: bool = False


@dataclass(frozen=True)
class TableRow:
    """A row's name, its cells, and their sum where it is shown."""

    name: str
    cells: tuple[Cell, ...]
    sum: str | None


@dataclass(frozen=True)
class Table:
    """A chart as the template writes it; every string is bounded, none is escaped yet.

    Attributes:
        kind: `cells`, `bars` or `frames`.
        title: what is shown.
        words: the same in words, or why there is no picture.
        rows: empty where there is no picture.
        columns: the columns' names.
        rows_are: what the rows stand for, or nothing.
        columns_are: what the columns stand for, or nothing.
        has_sums: whether the rows have sums.
        lines_up: whether the cells hold numbers of several lengths, which line up on the right.
    """

    kind: str
    title: str
    words: str
    rows: tuple[TableRow, ...]
    columns: tuple[str, ...]
    rows_are: str
    columns_are: str
    has_sums: bool
    lines_up: bool


def draw(chart: Chart) -> Table:
    """Give every cell its colours, or every bar its length."""
    sums = chart.sums or (None,) * len(chart.texts)
    rows = tuple(
        TableRow(
            bounded(name, 80),
            tuple(_cell(chart, text, shade) for text, shade in zip(texts, shades, strict=True)),
            bounded(total, 24) if total else None,
        )
        for name, texts, shades, total in zip(
            chart.rows, chart.texts, chart.shades, sums, strict=True
        )
    )
    return Table(
        kind=chart.kind,
        title=bounded(chart.title, 120),
        words=bounded(chart.words, 400),
        rows=rows,
        columns=tuple(bounded(name, 80) for name in chart.columns),
        rows_are=bounded(chart.rows_are, 80),
        columns_are=bounded(chart.columns_are, 80),
        has_sums=bool(chart.sums),
        lines_up=_are_numbers_of_several_lengths(chart.texts),
    )


def _cell(chart: Chart, text: str, shade: float | None) -> Cell:
    text = bounded(text, 24)
    if chart.kind == "frames":
        return Cell(text, framed=shade == 1)
    if chart.kind == "bars":
        return Cell(text, _bar(chart.zero if shade is None else shade, chart.zero))
    return Cell(text, _colours(shade, chart.colours))


def _bar(shade: float, zero: float) -> str:
    start, length = 100 * min(shade, zero), 100 * abs(shade - zero)
    return f"margin-left:{start:.0f}%;width:{length:.0f}%" if start else f"width:{length:.0f}%"


@lru_cache(maxsize=512)
def _colours(shade: float | None, scale: str) -> str:
    """Ground and ink of a cell, as CSS; shades have two digits, so there are few."""
    ground = BAD if shade is None else colour(shade, scale)
    ink = max(INKS, key=lambda ink: contrast(ink, ground))
    return f"background:{ground};color:{ink}"


def colour(shade: float, scale: str) -> str:
    """The colour of a shade from 0 to 1, between the two stops that are nearest to it."""
    stops = tuple(pairwise(SCALES[scale]))
    place = min(max(shade, 0.0), 1.0) * len(stops)
    low, high = stops[min(int(place), len(stops) - 1)]
    part = place - min(int(place), len(stops) - 1)
    channels = (
        round((1 - part) * int(low[at : at + 2], 16) + part * int(high[at : at + 2], 16))
        for at in (1, 3, 5)
    )
    return "#" + "".join(f"{channel:02x}" for channel in channels)


def _are_numbers_of_several_lengths(texts: tuple[tuple[str, ...], ...]) -> bool:
    told = [text for row in texts for text in row]
    return len(set(map(len, told))) > 1 and all(NUMBER.fullmatch(text) for text in told)
