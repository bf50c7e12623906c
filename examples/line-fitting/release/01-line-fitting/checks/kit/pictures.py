"""Pictures of students' results, each with the same content in words; they draw what is there.

Colours are cividis and viridis, which the colour-blind can tell apart and which print well in grey;
every cell carries its number, so that colour is never the only sign.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from .chart import Chart
from .describing import form_text, numbers_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

MOST_NUMBERS = 400
"""So many one picture can hold."""

_BAD = "0.85"  # light grey: nan and infinity
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

    @property
    def size(self) -> tuple[float, float]:
        """Inches."""
        return (1.2 + 0.8 * len(self.labels), 3.0)

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

    def draw(self, result: Any, ax: "Axes") -> None:
        """Draw the bars, each with its number above it."""
        numbers = numbers_in(result, dimensions=1)
        if numbers is None:
            return _draw_words(self.chart(result), ax)
        heights = np.where(np.isfinite(numbers), numbers, 0.0)
        bars = ax.bar(range(len(numbers)), heights, color="#3b528b")
        for bar, number in zip(bars, numbers, strict=True):
            middle = bar.get_x() + bar.get_width() / 2
            ax.annotate(text_of(number), (middle, bar.get_height()), ha="center", va="bottom")
        ax.set_xticks(range(len(numbers)), names_for(self.labels, len(numbers)))
        ax.set_xlabel(self.bars_are)
        ax.set_ylabel(self.heights_are)
        ax.margins(y=0.15)
        ax.set_title(self.title)


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

    @property
    def size(self) -> tuple[float, float]:
        """Inches."""
        return (2.4 + 0.75 * len(self.columns), 1.4 + 0.55 * len(self.rows))

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

    def draw(self, result: Any, ax: "Axes") -> None:
        """Draw the cells, each with its number."""
        draw_cells(self.chart(result), ax)


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


def draw_cells(chart: Chart, ax: "Axes") -> None:
    """Draw a chart of cells, each with what stands in it; in words where there are none."""
    if not chart.texts:
        return _draw_words(chart, ax)
    shades = np.ma.masked_invalid(np.array(chart.shades, dtype=np.float64))
    ax.set_facecolor(_BAD)
    image = ax.imshow(shades, cmap=chart.colours, aspect="auto", vmin=0, vmax=1)
    for place in np.ndindex(shades.shape):
        row, column = place
        red, green, blue, _ = image.cmap(shades[place])
        dark = 0.299 * red + 0.587 * green + 0.114 * blue < 0.5
        ink = "white" if dark and shades[place] is not np.ma.masked else "black"
        ax.text(column, row, chart.texts[row][column], ha="center", va="center", color=ink)
    ax.set_yticks(range(len(chart.rows)), chart.rows)
    ax.set_xticks(range(len(chart.columns)), chart.columns)
    ax.set_ylabel(chart.rows_are)
    ax.set_xlabel(chart.columns_are)
    ax.set_title(chart.title)
    for row, total in enumerate(chart.sums):
        ax.text(len(chart.columns) - 0.4, row, f"sum {total}", va="center")


def _draw_words(chart: Chart, ax: "Axes") -> None:
    ax.axis("off")
    ax.text(0.5, 0.5, chart.words, ha="center", va="center", wrap=True)


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
