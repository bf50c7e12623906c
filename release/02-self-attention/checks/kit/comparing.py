"""Two tables of numbers to be compared by eye: those that came back, and those expected."""

from dataclasses import dataclass

import numpy as np

MOST_ROWS, MOST_COLUMNS = 8, 8
_BEFORE = 2  # so many rows and columns are shown before the first difference
_HUGE = 1e5


@dataclass(frozen=True)
class Comparison:
    """Numbers as text, in rows and columns; of many, those around the first that differs.

    Attributes:
        came_back: a text for every number.
        expected: likewise, of the same size.
        differs: whether they do, likewise.
        part: which part of the whole it is, in words; empty where it is all of it.
    """

    came_back: tuple[tuple[str, ...], ...]
    expected: tuple[tuple[str, ...], ...]
    differs: tuple[tuple[bool, ...], ...]
    part: str = ""


def compare(found: np.ndarray, wanted: np.ndarray, differs: np.ndarray) -> Comparison:
    """What to show of two arrays of one shape that differ somewhere.

    Args:
        found: what came back.
        wanted: what was expected.
        differs: where they differ, at least once.
    """
    first = tuple(map(int, np.argwhere(differs)[0]))
    *lead, row, column = (0,) * (2 - len(first)) + first
    rows, columns = (1, 1, *found.shape)[-2:]
    down, across = _window(row, rows, MOST_ROWS), _window(column, columns, MOST_COLUMNS)
    tables = [
        array.reshape((*array.shape[:-2], rows, columns))[tuple(lead)][down, across]
        for array in (found, wanted, differs)
    ]
    texts = _texts(*tables)
    part = _part(found.shape, tuple(lead), down, across)
    return Comparison(*texts, tuple(map(tuple, tables[2].tolist())), part)


def _window(place: int, size: int, most: int) -> slice:
    start = max(0, min(place - _BEFORE, size - most))
    return slice(start, min(size, start + most))


def _part(shape: tuple[int, ...], lead: tuple[int, ...], down: slice, across: slice) -> str:
    """The index as one would write it: `[1, 0, 2:10, :]`."""
    whole = (1, 1, *shape)[-2:]
    index = [str(place) for place in lead]
    for size, shown in zip(whole, (down, across), strict=True):
        index.append(":" if shown == slice(0, size) else f"{shown.start}:{shown.stop}")
    index = index[max(0, 2 - len(shape)) :]
    return "" if set(index) <= {":"} else f"[{', '.join(index)}]"


def _texts(
    found: np.ndarray, wanted: np.ndarray, differs: np.ndarray
) -> tuple[tuple[tuple[str, ...], ...], tuple[tuple[str, ...], ...]]:
    """Both tables with the fewest digits in which all that differ look different."""
    for form in _forms(found, wanted):
        texts = _told(found, form), _told(wanted, form)
        alike = np.array(texts[0]) == np.array(texts[1])
        if not (alike & differs).any():
            break
    return texts


def _forms(found: np.ndarray, wanted: np.ndarray) -> tuple[str, ...]:
    """How to write the numbers, from the shortest form on."""
    if found.dtype == bool or wanted.dtype == bool:
        return ("",)
    numbers = np.concatenate([found.ravel(), wanted.ravel()])
    finite = numbers[np.isfinite(numbers)]
    if (np.abs(finite) >= _HUGE).any():
        return (".4g", ".6g", ".9g")
    return (".4f" if (finite % 1).any() else ".0f", ".6g", ".9g")


def _told(array: np.ndarray, form: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(format(number, form) for number in row) for row in array.tolist())
