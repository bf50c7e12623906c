"""The picture of a student's own result on the notebook's example, as a page shows it."""

import re
from dataclasses import dataclass

from autograder.checks.kit.chart import Chart
from autograder.checks.kit.shades import bar_style, cell_style
from autograder.feedback.words import bounded

NUMBER = re.compile(r"-?(\d+\.\d+(e[+-]\d+)?|nan|inf)")


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
        return Cell(text, bar_style(shade, chart.zero))
    return Cell(text, cell_style(shade, chart.colours))


def _are_numbers_of_several_lengths(texts: tuple[tuple[str, ...], ...]) -> bool:
    told = [text for row in texts for text in row]
    return len(set(map(len, told))) > 1 and all(NUMBER.fullmatch(text) for text in told)
