"""Pictures that come out of the sandbox: plain data of exact types, within bounds, or refused."""

from typing import Any, TypeVar

import numpy as np

from autograder.checks.kit.drawn import (
    LONGEST_TEXT,
    MOST_AXES,
    MOST_LINES,
    MOST_NUMBERS,
    MOST_TEXTS,
    MOST_TICKS,
    DrawnAxes,
    DrawnFigure,
)
from autograder.sandbox.inside.frames import Violation

Kind = TypeVar("Kind")

FIGURE = {"axes", "suptitle"}
AXES = set(DrawnAxes.__dataclass_fields__)


def read_drawing(fields: Any) -> DrawnAxes | DrawnFigure:
    """The picture that a process tells of, believing nothing of it.

    Args:
        fields: a decoded value; what an attribute of a DrawnAxes or a DrawnFigure is, by its name.

    Raises:
        Violation: it is no such picture.
    """
    if type(fields) is dict and fields.keys() == FIGURE:
        axes = tuple(_axes(one) for one in _tuple(fields["axes"], MOST_AXES, dict))
        return DrawnFigure(axes, _text(fields["suptitle"]))
    return _axes(fields)


def _axes(fields: Any) -> DrawnAxes:
    if type(fields) is not dict or fields.keys() != AXES:
        raise Violation("a picture")
    mesh, limits = fields["mesh"], fields["mesh_limits"]
    lines = _tuple(fields["lines"], MOST_LINES, np.ndarray)
    if any(line.shape[1:] != (2,) for line in map(_numbers, lines)):
        raise Violation("a picture's line")
    if sum(line.size for line in lines) > MOST_NUMBERS:
        raise Violation("a picture's lines")
    if mesh is not None and _numbers(mesh).ndim != 2:
        raise Violation("a picture's mesh")
    if limits is not None and len(_finite(limits, 2)) != 2:
        raise Violation("a mesh's limits")
    if len(_finite(fields["place"], 4)) != 4:
        raise Violation("a picture's place")
    return DrawnAxes(
        title=_text(fields["title"]),
        xlabel=_text(fields["xlabel"]),
        ylabel=_text(fields["ylabel"]),
        xticks=_finite(fields["xticks"], MOST_TICKS),
        yticks=_finite(fields["yticks"], MOST_TICKS),
        xticklabels=_texts(fields["xticklabels"], MOST_TICKS),
        yticklabels=_texts(fields["yticklabels"], MOST_TICKS),
        mesh=mesh,
        mesh_limits=limits,
        rows_from_top=_exactly(fields["rows_from_top"], bool),
        colorbar=_exactly(fields["colorbar"], bool),
        lines=lines,
        texts=_texts(fields["texts"], MOST_TEXTS),
        mesh_columns=_finite(fields["mesh_columns"], MOST_TICKS),
        mesh_rows=_finite(fields["mesh_rows"], MOST_TICKS),
        place=fields["place"],
    )


def _exactly(value: Any, kind: type[Kind]) -> Kind:
    if type(value) is not kind:
        raise Violation("a picture's attribute")
    return value


def _tuple(value: Any, most: int, kind: type[Kind]) -> tuple[Kind, ...]:
    if type(value) is not tuple or len(value) > most:
        raise Violation("a picture's attribute")
    return tuple(_exactly(item, kind) for item in value)


def _text(value: Any) -> str:
    if len(_exactly(value, str)) > LONGEST_TEXT:
        raise Violation("a picture's text")
    return value


def _texts(value: Any, most: int) -> tuple[str, ...]:
    return tuple(_text(item) for item in _tuple(value, most, str))


def _finite(value: Any, most: int) -> tuple[float, ...]:
    numbers = _tuple(value, most, float)
    if not np.isfinite(numbers).all():
        raise Violation("a picture's number")
    return numbers


def _numbers(array: Any) -> np.ndarray:
    if _exactly(array, np.ndarray).dtype != np.float64 or array.size > MOST_NUMBERS:
        raise Violation("a picture's numbers")
    return array
