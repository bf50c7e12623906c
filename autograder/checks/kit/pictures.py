"""Pictures of students' results, each with the same content in words; they draw what is there.

Colours are cividis and viridis, which the colour-blind can tell apart and which print well in grey;
every cell carries its number, so that colour is never the only sign.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from .chart import Chart
from .describing import form_text, numbers_of

MOST_NUMBERS = 400
"""So many one picture can hold."""

_MOST_ROWS_TOLD = 12


@dataclass(frozen=True)
class Bars:
    """One bar a number.

    Attributes:
        title: the call that is shown.
        labels: what each bar stands for.
        bars_are: label of the horizontal axis.
        heights_are: label of the vertical axis.
        sum_told: whether the words end with the sum, which means something for shares.
    """

    title: str
    labels: tuple[str, ...]
    bars_are: str
    heights_are: str
    sum_told: bool = True

    def chart(self, result: Any) -> Chart:
        """Every bar with its number; in words, with their sum where it is told."""
        numbers = numbers_in(result, dimensions=1)
        if numbers is None:
            return refused(result, self.title)
        names = names_for(self.labels, len(numbers))
        told = "; ".join(f"{n}: {text_of(v)}" for n, v in zip(names, numbers, strict=True))
        together = f" Together {text_of(_sum(numbers))}." if self.sum_told else ""
        *shades, zero = shades_of(np.append(numbers, 0.0)).tolist()
        return Chart(
            self.title,
            f"Bar chart: {self.title}. {told}.{together}",
            kind="bars",
            texts=tuple((text_of(number),) for number in numbers),
            shades=tuple((_known(shade),) for shade in shades),
            rows=names,
            columns=(self.heights_are,),
            rows_are=self.bars_are,
            zero=zero,
        )


@dataclass(frozen=True)
class Heatmap:
    """One cell a number of a table.

    Attributes:
        title: the call that is shown.
        rows: names of the rows.
        columns: names of the columns.
        row_sums: whether each row's sum stands beside it.
        rows_are: label of the vertical axis.
        columns_are: label of the horizontal axis.
    """

    title: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    row_sums: bool = False
    rows_are: str = "rows"
    columns_are: str = "columns"

    def chart(self, result: Any) -> Chart:
        """Every row's numbers, with their sum where the picture has it."""
        numbers = numbers_in(result, dimensions=2)
        if numbers is None:
            return refused(result, self.title)
        rows, columns = numbers.shape
        sums = tuple(text_of(_sum(row)) for row in numbers) if self.row_sums else ()
        drawn = Chart(
            self.title,
            "",
            texts=texts_of(numbers, text_of),
            shades=rows_of(shades_of(numbers)),
            rows=names_for(self.rows, rows),
            columns=names_for(self.columns, columns),
            rows_are=self.rows_are,
            columns_are=self.columns_are,
            sums=sums,
        )
        told = [f"{n}: {', '.join(row)}" for n, row in zip(drawn.rows, drawn.texts, strict=True)]
        if sums:
            told = [f"{row} (sum {total})" for row, total in zip(told, sums, strict=True)]
        words = (
            f"Heatmap: {self.title}. {rows} rows: {self.rows_are}; {columns} columns: "
            f"{self.columns_are}. {listed(told)}"
        )
        return replace(drawn, words=words)


def refused(result: Any, title: str) -> Chart:
    """No picture, and why."""
    words = f"No picture of {title}: what came back does not fit it ({form_text(result)})."
    return Chart(title, words)


def numbers_in(result: Any, dimensions: int) -> np.ndarray | None:
    """The result in float64 with that many dimensions, or None where it cannot be drawn."""
    array = numbers_of(result)
    if array is None:
        return None
    while array.ndim > dimensions and array.shape[0] == 1:
        array = array[0]
    if array.ndim != dimensions or not 0 < array.size <= MOST_NUMBERS:
        return None
    return array.astype(np.float64)


def shades_of(numbers: np.ndarray) -> np.ndarray:
    """Where each number lies between the smallest, 0, and the largest, 1; nan for nan and inf."""
    finite = np.where(np.isfinite(numbers), numbers, np.nan)
    if np.isnan(finite).all():
        return finite
    scaled = finite / (np.nanmax(np.abs(finite)) or 1.0)  # else the range of 1e308 is infinite
    low = np.nanmin(scaled)
    return (scaled - low) / ((np.nanmax(scaled) - low) or 1.0)


def rows_of(shades: np.ndarray) -> tuple[tuple[float | None, ...], ...]:
    """Shades as a chart holds them."""
    return tuple(tuple(map(_known, row)) for row in shades.tolist())


def _known(shade: float) -> float | None:
    """To two digits, which no eye misses; None for nan."""
    return round(shade, 2) if shade == shade else None


def texts_of(numbers: np.ndarray, text: Callable[[float], str]) -> tuple[tuple[str, ...], ...]:
    """What stands in each cell of a table."""
    return tuple(tuple(map(text, row)) for row in numbers.tolist())


def text_of(number: float) -> str:
    """A number as a picture writes it."""
    if not np.isfinite(number):
        return str(float(number))
    return f"{number:.2f}" if abs(number) < 1000 else f"{number:.1e}"


def _sum(numbers: np.ndarray) -> float:
    with np.errstate(invalid="ignore"):  # inf - inf is nan, and the picture says so
        return float(numbers.sum())


def names_for(names: Sequence[str], count: int) -> tuple[str, ...]:
    """The names where they fit, numbers where the student's result has another size."""
    return tuple(names if len(names) == count else map(str, range(count)))


def listed(parts: list[str]) -> str:
    """Parts of what is told of a picture, the first of many."""
    more = f"; and {len(parts) - _MOST_ROWS_TOLD} rows more" if len(parts) > _MOST_ROWS_TOLD else ""
    return "; ".join(parts[:_MOST_ROWS_TOLD]) + more + "."
