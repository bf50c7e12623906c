"""What a student's code has drawn, as plain data: the same from a notebook and from the sandbox.

What a reader of the picture cannot see is left out: labels that are switched off, as small as dust
or of no colour, and cells beyond the limits of the Axes.

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

_SMALLEST = 2.0  # points; smaller letters are dust


@dataclass(frozen=True, eq=False)
class DrawnAxes:
    """What one Axes shows.

    Attributes:
        title, xlabel, ylabel: its texts; empty where there is none to be seen.
        xticks, yticks: where the ticks are, in the data's coordinates, the minor ones last.
        xticklabels, yticklabels: what stands at each tick; empty where nothing can be seen.
        mesh: float64 (rows, columns), the numbers of the first image or mesh, row 0 being the first
            row of the data and NaN what is masked; without the rows and columns whose middle is out
            of view; None where there is none.
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


_ours: "list[Figure]" = []  # of the Axes that we made since the last call of a student's code


def new_axes() -> "Axes":
    """The left one of two empty Axes; as in a notebook, the right one is where `plt.plot` draws.

    Their figure is pyplot's current one in the next call of a student's code, and closed after it.
    """
    from matplotlib import pyplot

    figure, (left, _) = pyplot.subplots(1, 2)
    _ours.append(figure)
    return left


@contextmanager
def closing_figures() -> Iterator[None]:
    """Close the figures that are opened meanwhile: a notebook would show them, and keep them.

    Those of Axes that we made for it are closed too.
    """
    before = set(_open_figures())
    try:
        yield
    finally:
        for number in _open_figures():
            if number not in before:
                sys.modules["matplotlib.pyplot"].close(number)
        while _ours:
            sys.modules["matplotlib.pyplot"].close(_ours.pop())


def _open_figures() -> list[int]:
    pyplot = sys.modules.get("matplotlib.pyplot")
    return pyplot.get_fignums() if pyplot is not None else []


def _figure(figure: "Figure") -> DrawnFigure:
    bars = _bars(figure)
    shown = [axes for axes in figure.axes if not any(axes is bar for bar in bars)]
    shown.sort(key=lambda axes: (round(axes.bbox.x0), -round(axes.bbox.y0)))
    return DrawnFigure(
        axes=tuple(_axes(axes) for axes in _at_most(MOST_AXES, "Axes", shown)),
        suptitle=_text(figure.get_suptitle()),
    )


def _axes(axes: "Axes") -> DrawnAxes:
    mesh = _first_mesh(axes)
    limits: Any = mesh.get_clim() if mesh is not None else (None, None)
    titles = [_seen(axes.title), axes.get_title("left"), axes.get_title("right")]
    table, columns, rows = (None, (), ()) if mesh is None else _in_view(axes, mesh)
    xticks, xlabels = _labelled(axes, axes.xaxis)
    yticks, ylabels = _labelled(axes, axes.yaxis)
    return DrawnAxes(
        title=_text(next(filter(None, titles), "")),
        xlabel=_text(_axis_label(axes, axes.xaxis)),
        ylabel=_text(_axis_label(axes, axes.yaxis)),
        xticks=xticks,
        yticks=yticks,
        xticklabels=xlabels,
        yticklabels=ylabels,
        mesh=table,
        mesh_limits=None if None in limits else (float(limits[0]), float(limits[1])),
        rows_from_top=mesh is not None and _from_top(axes, mesh),
        colorbar=mesh is not None and _has_bar(axes, mesh),
        lines=_lines(axes),
        texts=_texts(MOST_TEXTS, axes.texts),
        mesh_columns=_ticks(columns),
        mesh_rows=_ticks(rows),
        place=_ticks(axes.bbox.extents),
    )


def _axis_label(axes: "Axes", axis: Any) -> str:
    return _seen(axis.label) if _is_shown(axes, axis) else ""


def _labelled(axes: "Axes", axis: Any) -> tuple[tuple[float, ...], tuple[str, ...]]:
    """Where an axis has ticks, and what a reader sees written there."""
    places = _ticks([*axis.get_majorticklocs(), *axis.get_minorticklocs()])
    axis.get_ticklabels(which="both")  # writes all labels anew
    ticks = [*axis.get_major_ticks(), *axis.get_minor_ticks()]
    low, high = sorted(axis.get_view_interval())

    def written(place: float, tick: Any) -> str:
        if not (_is_shown(axes, axis) and tick.get_visible() and low <= place <= high):
            return ""
        return _text(_seen(tick.label1) or _seen(tick.label2))

    return places, tuple(written(place, tick) for place, tick in zip(places, ticks, strict=True))


def _is_shown(axes: "Axes", axis: Any) -> bool:
    return bool(axes.get_visible() and axes.axison and axis.get_visible())


def _seen(text: Any) -> str:
    """What a text says; nothing where nobody can see it."""
    from matplotlib.colors import same_color, to_rgba

    colour = to_rgba(text.get_color())
    is_seen = (
        text.get_visible()
        and text.get_fontsize() >= _SMALLEST
        and text.get_alpha() != 0
        and colour[3] > 0
        and not same_color(colour, text.get_figure().get_facecolor())
    )
    return str(text.get_text()) if is_seen else ""


def _bars(figure: Any) -> "list[Axes]":
    """The Axes of colour bars: those that a figure has made, and those that a mappable knows."""
    mappables = [one for axes in figure.axes for one in _mappables(axes)]
    known = [one.colorbar.ax for one in mappables if one.colorbar is not None]
    return known + [axes for axes in figure.axes if axes.get_label() == "<colorbar>"]


def _has_bar(axes: "Axes", mesh: Any) -> bool:
    """Whether a bar can be seen that has the colours of the mesh, for the same numbers."""
    own = [one.colorbar.ax for one in _mappables(axes) if one.colorbar is not None]
    others = [
        bar
        for bar in _bars(axes.get_figure())
        for one in _mappables(bar)
        if (one.get_cmap(), one.get_clim()) == (mesh.get_cmap(), mesh.get_clim())
    ]
    return any(bar.get_visible() for bar in (*own, *others))


def _mappables(axes: "Axes") -> list[Any]:
    return [*axes.images, *axes.collections]


def _first_mesh(axes: "Axes") -> Any:
    """The first image of plain numbers, or mesh, that can be seen; None where there is none."""
    for one in _mappables(axes):
        is_grid = hasattr(one, "get_extent") or hasattr(one, "get_coordinates")
        is_seen = axes.get_visible() and one.get_visible() and not np.all(one.get_alpha() == 0)
        if is_grid and is_seen and one.get_array() is not None and one.get_array().ndim == 2:
            return one
    return None


def _from_top(axes: "Axes", mesh: Any) -> bool:
    _, heights = _edges(mesh)
    below, above = axes.get_ylim()
    return bool((heights[0] > heights[-1]) == (above > below))


def _in_view(axes: "Axes", mesh: Any) -> tuple[np.ndarray | None, np.ndarray, np.ndarray]:
    """The numbers of the cells in view, and where the middles of columns and rows are."""
    table = _numbers(mesh.get_array())
    columns, rows = _middles(mesh)
    across, down = _between(columns, axes.get_xlim()), _between(rows, axes.get_ylim())
    seen = table[down][:, across]
    return (seen if seen.size else None), columns[across], rows[down]


def _between(middles: np.ndarray, limits: tuple[float, float]) -> np.ndarray:
    low, high = sorted(limits)
    near = 1e-6 * (high - low)
    return (middles >= low - near) & (middles <= high + near)


def _middles(mesh: Any) -> tuple[np.ndarray, np.ndarray]:
    """Where the middles of the columns are, and those of the rows."""
    rows, columns = mesh.get_array().shape
    across, down = _edges(mesh)
    return _middle_of_cells(across, columns), _middle_of_cells(down, rows)


def _middle_of_cells(at: np.ndarray, count: int) -> np.ndarray:
    # Where a mesh's colours run into each other, it has a point for each number and no edges.
    return at if len(at) == count else (at[1:] + at[:-1]) / 2


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
