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

_MOST = 400  # numbers that one picture can hold
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
    """

    title: str
    labels: tuple[str, ...]
    bars_are: str
    heights_are: str

    @property
    def size(self) -> tuple[float, float]:
        """Inches."""
        return (1.2 + 0.8 * len(self.labels), 3.0)

    def chart(self, result: Any) -> Chart:
        """Every bar with its number; in words, with their sum."""
        numbers = _numbers(result, dimensions=1)
        if numbers is None:
            return refused(result, self.title)
        names = _names(self.labels, len(numbers))
        told = "; ".join(f"{n}: {_text(v)}" for n, v in zip(names, numbers, strict=True))
        *shades, zero = _shades(np.append(numbers, 0.0)).tolist()
        return Chart(
            self.title,
            f"Bar chart: {self.title}. {told}. Together {_text(_sum(numbers))}.",
            kind="bars",
            texts=tuple((_text(number),) for number in numbers),
            shades=tuple((_known(shade),) for shade in shades),
            rows=names,
            columns=(self.heights_are,),
            rows_are=self.bars_are,
            zero=zero,
        )

    def draw(self, result: Any, ax: "Axes") -> None:
        """Draw the bars, each with its number above it."""
        numbers = _numbers(result, dimensions=1)
        if numbers is None:
            return _draw_words(self.chart(result), ax)
        heights = np.where(np.isfinite(numbers), numbers, 0.0)
        bars = ax.bar(range(len(numbers)), heights, color="#3b528b")
        for bar, number in zip(bars, numbers, strict=True):
            middle = bar.get_x() + bar.get_width() / 2
            ax.annotate(_text(number), (middle, bar.get_height()), ha="center", va="bottom")
        ax.set_xticks(range(len(numbers)), _names(self.labels, len(numbers)))
        ax.set_xlabel(self.bars_are)
        ax.set_ylabel(self.heights_are)
        ax.margins(y=0.15)
        ax.set_title(self.title)


@dataclass(frozen=True)
class Heatmap:
    """One cell a pair of query and key.

    Attributes:
        title: the call that is shown.
        queries: names of the rows.
        keys: names of the columns.
        row_sums: whether each row's sum stands beside it.
        rows_are: label of the vertical axis.
        columns_are: label of the horizontal axis.
    """

    title: str
    queries: tuple[str, ...]
    keys: tuple[str, ...]
    row_sums: bool = False
    rows_are: str = "queries (attending)"
    columns_are: str = "keys (attended to)"

    @property
    def size(self) -> tuple[float, float]:
        """Inches."""
        return (2.4 + 0.75 * len(self.keys), 1.4 + 0.55 * len(self.queries))

    def chart(self, result: Any) -> Chart:
        """Every row's numbers, with their sum where the picture has it."""
        numbers = _numbers(result, dimensions=2)
        if numbers is None:
            return refused(result, self.title)
        rows, columns = numbers.shape
        sums = tuple(_text(_sum(row)) for row in numbers) if self.row_sums else ()
        drawn = Chart(
            self.title,
            "",
            texts=_texts(numbers, _text),
            shades=_rows_of(_shades(numbers)),
            rows=_names(self.queries, rows),
            columns=_names(self.keys, columns),
            rows_are=self.rows_are,
            columns_are=self.columns_are,
            sums=sums,
        )
        told = [f"{n}: {', '.join(row)}" for n, row in zip(drawn.rows, drawn.texts, strict=True)]
        if sums:
            told = [f"{row} (sum {total})" for row, total in zip(told, sums, strict=True)]
        words = (
            f"Heatmap: {self.title}. {rows} rows: {self.rows_are}; {columns} columns: "
            f"{self.columns_are}. {_listed(told)}"
        )
        return replace(drawn, words=words)

    def draw(self, result: Any, ax: "Axes") -> None:
        """Draw the cells, each with its number."""
        _draw_cells(self.chart(result), ax)


@dataclass(frozen=True)
class AllowedGrid(Heatmap):
    """A mask: one cell a pair of query and key, allowed or not."""

    def chart(self, result: Any) -> Chart:
        """Whom every row may attend to: "yes", "no", or the number that is neither 1 nor 0."""
        drawn = super().chart(result)
        numbers = _numbers(result, dimensions=2)
        if numbers is None:
            return drawn
        shades = np.where(np.isfinite(numbers), numbers.clip(0, 1), np.nan)
        drawn = replace(drawn, texts=_texts(numbers, _yes_or_no), shades=_rows_of(shades))
        if not np.isin(numbers, (0, 1)).all():
            return drawn
        told = []
        for name, row in zip(drawn.rows, numbers, strict=True):
            allowed = [key for key, cell in zip(drawn.columns, row, strict=True) if cell]
            told.append(f"{name} may attend to {', '.join(allowed) or 'nothing'}")
        return replace(drawn, words=f"Grid: {self.title}. {_listed(told)}")


@dataclass(frozen=True)
class Blocks:
    """Where each feature of each token went; the number 10 t + f stands for token t's feature f.

    Attributes:
        title: the call that is shown.
        shape: the shape of a right result, for the figure's size.
    """

    title: str
    shape: tuple[int, ...]

    @property
    def size(self) -> tuple[float, float]:
        """Inches."""
        rows = int(np.prod(self.shape[:-1]))
        return (2.2 + 0.75 * self.shape[-1], 1.2 + 0.36 * rows)

    def chart(self, result: Any) -> Chart:
        """What every row holds, one for each head and position; the colour is the token's."""
        table = _as_rows(result)
        if table is None:
            return refused(result, self.title)
        rows = _row_names(result)
        told = [f"{name}: {_features(row)}" for name, row in zip(rows, table, strict=True)]
        return Chart(
            self.title,
            f"Table: {self.title}; t2 f4 is feature 4 of token 2. {_listed(told)}",
            texts=_texts(table, _token_and_feature),
            shades=_rows_of(_shades(np.floor(table / 10))),
            rows=rows,
            columns=_names((), table.shape[1]),
            columns_are="feature within the row\n(t2 f1: token 2, feature 1)",
            colours="viridis",
        )

    def draw(self, result: Any, ax: "Axes") -> None:
        """Draw the cells, each with its token and feature."""
        _draw_cells(self.chart(result), ax)


def refused(result: Any, title: str) -> Chart:
    """No picture, and why."""
    words = f"No picture of {title}: what came back does not fit it ({form_text(result)})."
    return Chart(title, words)


def _numbers(result: Any, dimensions: int) -> np.ndarray | None:
    """The result in float64 with that many dimensions, or None where it cannot be drawn."""
    array = numbers_of(result)
    if array is None:
        return None
    while array.ndim > dimensions and array.shape[0] == 1:
        array = array[0]
    if array.ndim != dimensions or not 0 < array.size <= _MOST:
        return None
    return array.astype(np.float64)


def _as_rows(result: Any) -> np.ndarray | None:
    """The result as a table whose columns are the last dimension."""
    array = numbers_of(result)
    if array is None or array.ndim < 2 or not 0 < array.size <= _MOST:
        return None
    return array.reshape(-1, array.shape[-1]).astype(np.float64)


def _row_names(result: Any) -> tuple[str, ...]:
    outer = tuple(result.shape[:-1])
    while len(outer) > 1 and outer[0] == 1:
        outer = outer[1:]
    words = {1: ("position {}",), 2: ("head {}", "position {}")}.get(len(outer))
    words = words or tuple("{}" for _ in outer)
    return tuple(
        ", ".join(word.format(place) for word, place in zip(words, index, strict=True))
        for index in np.ndindex(outer)
    )


def _shades(numbers: np.ndarray) -> np.ndarray:
    """Where each number lies between the smallest, 0, and the largest, 1; nan for nan and inf."""
    finite = np.where(np.isfinite(numbers), numbers, np.nan)
    if np.isnan(finite).all():
        return finite
    scaled = finite / (np.nanmax(np.abs(finite)) or 1.0)  # else the range of 1e308 is infinite
    low = np.nanmin(scaled)
    return (scaled - low) / ((np.nanmax(scaled) - low) or 1.0)


def _rows_of(shades: np.ndarray) -> tuple[tuple[float | None, ...], ...]:
    return tuple(tuple(map(_known, row)) for row in shades.tolist())


def _known(shade: float) -> float | None:
    """To two digits, which no eye misses; None for nan."""
    return round(shade, 2) if shade == shade else None


def _texts(numbers: np.ndarray, text: Callable[[float], str]) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(map(text, row)) for row in numbers.tolist())


def _draw_cells(chart: Chart, ax: "Axes") -> None:
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


def _text(number: float) -> str:
    if not np.isfinite(number):
        return str(float(number))
    return f"{number:.2f}" if abs(number) < 1000 else f"{number:.1e}"


def _sum(numbers: np.ndarray) -> float:
    with np.errstate(invalid="ignore"):  # inf - inf is nan, and the picture says so
        return float(numbers.sum())


def _yes_or_no(cell: float) -> str:
    return {1.0: "yes", 0.0: "no"}.get(float(cell)) or _text(cell)


def _token_and_feature(cell: float) -> str:
    if not 0 <= cell < 1000 or cell != int(cell):
        return _text(cell)
    return f"t{int(cell) // 10} f{int(cell) % 10}"


def _features(row: np.ndarray) -> str:
    """What a row holds; neighbours of one token are told as a range: `t0 f0 to f2`."""
    neighbours = (np.diff(row) == 1).all() and (row // 10 == row[0] // 10).all()
    if len(row) > 2 and neighbours:
        return f"{_token_and_feature(row[0])} to f{int(row[-1]) % 10}"
    return ", ".join(map(_token_and_feature, row))


def _names(names: Sequence[str], count: int) -> tuple[str, ...]:
    """The names where they fit, numbers where the student's result has another size."""
    return tuple(names if len(names) == count else map(str, range(count)))


def _listed(parts: list[str]) -> str:
    more = f"; and {len(parts) - _MOST_ROWS_TOLD} rows more" if len(parts) > _MOST_ROWS_TOLD else ""
    return "; ".join(parts[:_MOST_ROWS_TOLD]) + more + "."
