"""Pictures of students' results, each with the same content in words; they draw what is there.

Colours are cividis and viridis, which the colour-blind can tell apart and which print well in grey;
every cell carries its number, so that colour is never the only sign.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

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

    def draw(self, result: Any, ax: "Axes") -> None:
        """Draw the bars, each with its number above it."""
        numbers = _numbers(result, dimensions=1)
        if numbers is None:
            return _refuse(result, ax, self.title)
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

    def alt(self, result: Any) -> str:
        """Every bar's number, and their sum."""
        numbers = _numbers(result, dimensions=1)
        if numbers is None:
            return _refusal(result, self.title)
        names = _names(self.labels, len(numbers))
        told = "; ".join(f"{n}: {_text(v)}" for n, v in zip(names, numbers, strict=True))
        return f"Bar chart: {self.title}. {told}. Together {_text(_sum(numbers))}."


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

    def draw(self, result: Any, ax: "Axes") -> None:
        """Draw the cells, each with its number."""
        numbers = _numbers(result, dimensions=2)
        if numbers is None:
            return _refuse(result, ax, self.title)
        _draw_cells(ax, numbers, _text, "cividis")
        self._label(ax, numbers)
        if self.row_sums:
            for row, total in enumerate(map(_sum, numbers)):
                ax.text(numbers.shape[1] - 0.4, row, f"sum {_text(total)}", va="center")

    def alt(self, result: Any) -> str:
        """Every row's numbers, with their sum where the picture has it."""
        numbers = _numbers(result, dimensions=2)
        if numbers is None:
            return _refusal(result, self.title)
        rows, columns = numbers.shape
        told = [
            f"{name}: {', '.join(map(_text, row))}"
            + (f" (sum {_text(_sum(row))})" if self.row_sums else "")
            for name, row in zip(_names(self.queries, rows), numbers, strict=True)
        ]
        return (
            f"Heatmap: {self.title}. {rows} rows: {self.rows_are}; {columns} columns: "
            f"{self.columns_are}. {_listed(told)}"
        )

    def _label(self, ax: "Axes", numbers: np.ndarray) -> None:
        ax.set_yticks(range(numbers.shape[0]), _names(self.queries, numbers.shape[0]))
        ax.set_xticks(range(numbers.shape[1]), _names(self.keys, numbers.shape[1]))
        ax.set_ylabel(self.rows_are)
        ax.set_xlabel(self.columns_are)
        ax.set_title(self.title)


@dataclass(frozen=True)
class AllowedGrid(Heatmap):
    """A mask: one cell a pair of query and key, allowed or not."""

    def draw(self, result: Any, ax: "Axes") -> None:
        """Draw the cells, each with "yes", "no", or the number that is neither 1 nor 0."""
        numbers = _numbers(result, dimensions=2)
        if numbers is None:
            return _refuse(result, ax, self.title)
        _draw_cells(ax, numbers, _yes_or_no, "cividis", limits=(0, 1))
        self._label(ax, numbers)

    def alt(self, result: Any) -> str:
        """Whom every row may attend to."""
        numbers = _numbers(result, dimensions=2)
        if numbers is None:
            return _refusal(result, self.title)
        if not np.isin(numbers, (0, 1)).all():
            return super().alt(result)
        keys = _names(self.keys, numbers.shape[1])
        told = []
        for name, row in zip(_names(self.queries, len(numbers)), numbers, strict=True):
            allowed = [key for key, cell in zip(keys, row, strict=True) if cell]
            told.append(f"{name} may attend to {', '.join(allowed) or 'nothing'}")
        return f"Grid: {self.title}. {_listed(told)}"


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

    def draw(self, result: Any, ax: "Axes") -> None:
        """Draw one row for each head and position; the colour is the token's."""
        table = _as_rows(result)
        if table is None:
            return _refuse(result, ax, self.title)
        _draw_cells(ax, table, _token_and_feature, "viridis", colour=lambda cell: cell // 10)
        rows = _row_names(result)
        ax.set_yticks(range(len(rows)), rows)
        ax.set_xticks(range(table.shape[1]))
        ax.set_xlabel("feature within the row\n(t2 f1: token 2, feature 1)")
        ax.set_title(self.title)

    def alt(self, result: Any) -> str:
        """What every row holds."""
        table = _as_rows(result)
        if table is None:
            return _refusal(result, self.title)
        told = [
            f"{name}: {_features(row)}" for name, row in zip(_row_names(result), table, strict=True)
        ]
        return f"Table: {self.title}; t2 f4 is feature 4 of token 2. {_listed(told)}"


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


def _row_names(result: Any) -> list[str]:
    outer = tuple(result.shape[:-1])
    while len(outer) > 1 and outer[0] == 1:
        outer = outer[1:]
    words = {1: ("position {}",), 2: ("head {}", "position {}")}.get(len(outer))
    words = words or tuple("{}" for _ in outer)
    return [
        ", ".join(word.format(place) for word, place in zip(words, index, strict=True))
        for index in np.ndindex(outer)
    ]


def _draw_cells(
    ax: "Axes",
    numbers: np.ndarray,
    text: Callable[[Any], str],
    colours: str,
    colour: Callable[[np.ndarray], np.ndarray] = lambda cells: cells,
    limits: tuple[float, float] | None = None,
) -> None:
    ax.set_facecolor(_BAD)
    with np.errstate(invalid="ignore"):
        shades = np.ma.masked_invalid(colour(np.where(np.isfinite(numbers), numbers, np.nan)))
    hidden = np.ma.getmaskarray(shades)
    image = ax.imshow(shades, cmap=colours, aspect="auto")
    if limits is not None:
        image.set_clim(*limits)
    for row, column in np.ndindex(numbers.shape):
        red, green, blue, _ = image.to_rgba(shades[row : row + 1, column : column + 1])[0, 0]
        dark = not hidden[row, column] and 0.299 * red + 0.587 * green + 0.114 * blue < 0.5
        ax.text(
            column,
            row,
            text(numbers[row, column]),
            ha="center",
            va="center",
            color="white" if dark else "black",
        )


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


def _names(names: Sequence[str], count: int) -> list[str]:
    """The names where they fit, numbers where the student's result has another size."""
    return list(names) if len(names) == count else [str(place) for place in range(count)]


def _listed(parts: list[str]) -> str:
    more = f"; and {len(parts) - _MOST_ROWS_TOLD} rows more" if len(parts) > _MOST_ROWS_TOLD else ""
    return "; ".join(parts[:_MOST_ROWS_TOLD]) + more + "."


def _refusal(result: Any, title: str) -> str:
    return f"No picture of {title}: what came back does not fit it ({form_text(result)})."


def _refuse(result: Any, ax: "Axes", title: str) -> None:
    ax.axis("off")
    ax.text(0.5, 0.5, _refusal(result, title), ha="center", va="center", wrap=True)
