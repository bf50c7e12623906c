"""What a student's code has drawn, as plain data: the same from a notebook and from the sandbox.

The sandbox has this one file of the package too, so that there is one way to look at a picture.
"""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LONGEST_TEXT = 1000  # characters; the rest is cut off
MOST_AXES = 32
MOST_TICKS = 1000
MOST_TEXTS = 10_000
MOST_LINES = 2000
MOST_NUMBERS = 1_000_000  # of a mesh, and of all lines together


@dataclass(frozen=True, eq=False)
class DrawnAxes:
    """What one Axes shows.

    Attributes:
        title, xlabel, ylabel: its texts; empty where there is none.
        xticks, yticks: where the ticks are, in the data's coordinates.
        xticklabels, yticklabels: what stands at the ticks.
        mesh: float64 (rows, columns), the numbers of the first image or mesh, row 0 being the first
            row of the data and NaN what is masked; None where there is none.
        mesh_limits: the numbers at the two ends of the mesh's colours.
        rows_from_top: whether row 0 of the mesh is drawn at the top.
        colorbar: whether a colour bar tells what the mesh's colours stand for.
        lines: float64 (points, 2) each, the x and y of every line.
        texts: what is written inside the axes.
        mesh_columns, mesh_rows: where the middle of each column and each row of the mesh is, in the
            data's coordinates; empty where there is no mesh.
        place: left, bottom, right and top of the Axes, in dots of its figure.
    """

    title: str
    xlabel: str
    ylabel: str
    xticks: tuple[float, ...]
    yticks: tuple[float, ...]
    xticklabels: tuple[str, ...]
    yticklabels: tuple[str, ...]
    mesh: np.ndarray | None
    mesh_limits: tuple[float, float] | None
    rows_from_top: bool
    colorbar: bool
    lines: tuple[np.ndarray, ...]
    texts: tuple[str, ...]
    mesh_columns: tuple[float, ...] = ()
    mesh_rows: tuple[float, ...] = ()
    place: tuple[float, ...] = (0.0, 0.0, 1.0, 1.0)


@dataclass(frozen=True, eq=False)
class DrawnFigure:
    """What a Figure shows.

    Attributes:
        axes: its Axes from left to right, those above first, without those of colour bars.
        suptitle: the title over all of them; empty where there is none.
    """

    axes: tuple[DrawnAxes, ...]
    suptitle: str


def described(value: Any) -> DrawnAxes | DrawnFigure | None:
    """What a picture shows; None for anything that is no Axes and no Figure.

    Raises:
        ValueError: there is more in it than can be told, or a tick at no finite number.
    """
    if "matplotlib.figure" not in sys.modules:
        return None
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    if isinstance(value, Axes):
        return _axes(value)
    return _figure(value) if isinstance(value, Figure) else None


def new_axes() -> "Axes":
    """The left one of two empty Axes; as in a notebook, the right one is where `plt.plot` draws."""
    from matplotlib import pyplot

    _, (left, _) = pyplot.subplots(1, 2)
    return left


@contextmanager
def closing_figures() -> Iterator[None]:
    """Close the figures that are opened meanwhile: a notebook would show them, and keep them."""
    before = set(_open_figures())
    try:
        yield
    finally:
        for number in _open_figures():
            if number not in before:
                sys.modules["matplotlib.pyplot"].close(number)


def _open_figures() -> list[int]:
    pyplot = sys.modules.get("matplotlib.pyplot")
    return pyplot.get_fignums() if pyplot is not None else []


def _figure(figure: "Figure") -> DrawnFigure:
    bars = [
        mappable.colorbar.ax
        for axes in figure.axes
        for mappable in _mappables(axes)
        if mappable.colorbar is not None
    ]
    shown = [axes for axes in figure.axes if not any(axes is bar for bar in bars)]
    shown.sort(key=lambda axes: (round(axes.bbox.x0), -round(axes.bbox.y0)))
    return DrawnFigure(
        axes=tuple(_axes(axes) for axes in _at_most(MOST_AXES, "Axes", shown)),
        suptitle=_text(figure.get_suptitle()),
    )


def _axes(axes: "Axes") -> DrawnAxes:
    mesh = _first_mesh(axes)
    limits: Any = mesh.get_clim() if mesh is not None else (None, None)
    titles = [axes.get_title("center"), axes.get_title("left"), axes.get_title("right")]
    columns, rows = _middles(mesh) if mesh is not None else ((), ())
    return DrawnAxes(
        title=_text(next(filter(None, titles), "")),
        xlabel=_text(axes.get_xlabel()),
        ylabel=_text(axes.get_ylabel()),
        xticks=_ticks(axes.get_xticks()),
        yticks=_ticks(axes.get_yticks()),
        xticklabels=_texts(MOST_TICKS, axes.get_xticklabels()),
        yticklabels=_texts(MOST_TICKS, axes.get_yticklabels()),
        mesh=_numbers(mesh.get_array()) if mesh is not None else None,
        mesh_limits=None if None in limits else (float(limits[0]), float(limits[1])),
        rows_from_top=mesh is not None and _from_top(axes, mesh),
        colorbar=any(mappable.colorbar is not None for mappable in _mappables(axes)),
        lines=_lines(axes),
        texts=_texts(MOST_TEXTS, axes.texts),
        mesh_columns=_ticks(columns),
        mesh_rows=_ticks(rows),
        place=_ticks(axes.bbox.extents),
    )


def _mappables(axes: "Axes") -> list[Any]:
    return [*axes.images, *axes.collections]


def _first_mesh(axes: "Axes") -> Any:
    """The first image of plain numbers, or mesh; None where there is none."""
    for one in _mappables(axes):
        is_grid = hasattr(one, "get_extent") or hasattr(one, "get_coordinates")
        if is_grid and one.get_array() is not None and one.get_array().ndim == 2:
            return one
    return None


def _from_top(axes: "Axes", mesh: Any) -> bool:
    _, heights = _edges(mesh)
    below, above = axes.get_ylim()
    return bool((heights[0] > heights[-1]) == (above > below))


def _middles(mesh: Any) -> tuple[np.ndarray, ...]:
    """Where the middles of the columns are, and those of the rows."""
    rows, columns = mesh.get_array().shape
    across, down = _edges(mesh)
    # Where a mesh's colours run into each other, it has a point for each number and no edges.
    return tuple(
        at if len(at) == count else (at[1:] + at[:-1]) / 2
        for at, count in ((across, columns), (down, rows))
    )


def _edges(mesh: Any) -> tuple[np.ndarray, np.ndarray]:
    """Where the columns begin and end, and the rows, from the first row of the data on."""
    if not hasattr(mesh, "get_extent"):
        points = mesh.get_coordinates()
        return points[0, :, 0], points[:, 0, 1]
    rows, columns = mesh.get_array().shape
    left, right, bottom, top = mesh.get_extent()
    first, last = (top, bottom) if mesh.origin == "upper" else (bottom, top)
    return np.linspace(left, right, columns + 1), np.linspace(first, last, rows + 1)


def _lines(axes: "Axes") -> tuple[np.ndarray, ...]:
    from matplotlib.collections import LineCollection

    found = [line.get_xydata() for line in axes.lines]
    for collection in axes.collections:
        if isinstance(collection, LineCollection):
            found += collection.get_segments()
    lines = tuple(_numbers(line) for line in _at_most(MOST_LINES, "lines", found))
    if sum(line.size for line in lines) > MOST_NUMBERS:
        raise ValueError(f"a picture whose lines have more than {MOST_NUMBERS} numbers")
    return lines


def _numbers(array: Any) -> np.ndarray:
    if array.size > MOST_NUMBERS:
        raise ValueError(f"a picture of more than {MOST_NUMBERS} numbers")
    return np.array(np.ma.filled(np.ma.asarray(array).astype(np.float64), np.nan))


def _ticks(places: Any) -> tuple[float, ...]:
    ticks = tuple(float(place) for place in _at_most(MOST_TICKS, "ticks", places))
    if not np.isfinite(ticks).all():
        raise ValueError("a picture with a tick at no finite number")
    return ticks


def _texts(most: int, artists: Any) -> tuple[str, ...]:
    return tuple(_text(artist.get_text()) for artist in _at_most(most, "texts", artists))


def _text(text: Any) -> str:
    return str(text)[:LONGEST_TEXT].encode(errors="replace").decode()


def _at_most(most: int, what: str, found: Iterable[Any]) -> list[Any]:
    kept = list(found)
    if len(kept) > most:
        raise ValueError(f"a picture with more than {most} {what}")
    return kept
