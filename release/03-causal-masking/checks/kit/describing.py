"""Puts values and calls into words that fit a table's cell."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from .drawn import DrawnAxes, DrawnFigure
from .errors import StudentError
from .local_student import LocalModule
from .values import Array, values

_FEW = 24  # more numbers than this are not read one by one
_FIRST_FEW = 4
_FEW_IN_A_LINE = 12
_SHORT = 60  # characters of a text argument
_FEW_ITEMS = 3
_HUGE = 1e8  # float32 tells 1e30 as 1.0000000150474662e+30
_PLAIN = (bool, int, float, str)


def call_text(name: str, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> str:
    """A call as one would type it: `row_sums(3, device='meta')`."""
    parts = [argument_text(value) for value in args]
    parts += [f"{key}={argument_text(value)}" for key, value in kwargs.items()]
    return f"{name}({', '.join(parts)})"


def argument_text(value: Any) -> str:
    """An argument in one line: small arrays in full, others by their form."""
    if isinstance(value, LocalModule):
        return values().module_text(value.module)
    if type(value) in (tuple, list) and any(_has_form(item) for item in value):
        inner = ", ".join(map(argument_text, value[:_FEW_ITEMS]))
        more = ", ..." if len(value) > _FEW_ITEMS else ""
        return f"[{inner}{more}]" if type(value) is list else f"({inner}{more})"
    if type(value) is dict and _has_form(list(value.values())):
        return f"{{{', '.join(f'{key!r}: {argument_text(item)}' for key, item in value.items())}}}"
    if type(value).__module__.startswith("matplotlib."):
        return type(value).__name__.lower()
    if not values().is_array(value):
        return _shortened(value)
    array = numbers_of(value)
    if array is not None and array.size <= _FEW_IN_A_LINE and array.ndim <= 2:
        told = array.astype(np.int64) if values().holds_integers(value) else array
        return str(told.tolist() if told.dtype.kind != "f" else _rounded(told.tolist()))
    return f"{dtype_text(value)} {values().kind(value)} {'×'.join(map(str, value.shape))}"


def result_text(value: Any) -> str:
    """A result: few numbers as a grid, many by their form and the first of them."""
    array = numbers_of(value)
    if array is None:
        return form_text(value)
    if array.size > _FEW:
        return f"{form_text(value)}\nbegins {_grid(array.flat[:_FIRST_FEW])}"
    return _grid(array)


def form_text(value: Any) -> str:
    """Type, shape, dtype and device of a value, without its numbers."""
    if isinstance(value, StudentError):
        return f"{value.type_name}: {value.message}" if value.message else value.type_name
    if isinstance(value, LocalModule):
        return f"a module of class {type(value.module).__name__}"
    if values().is_array(value):
        device = values().device_text(value)
        where = "" if device == "cpu" else f", on {device}"
        kind = values().kind(value)
        return f"{kind}, shape {tuple(value.shape)}, {dtype_text(value)}{where}"
    if isinstance(value, np.generic):
        return _shortened(value.item())
    if isinstance(value, DrawnFigure):
        return f"a figure of {len(value.axes)} axes"
    if isinstance(value, DrawnAxes):
        return _axes_text(value)
    if type(value) in (tuple, list) and all(type(item) in _PLAIN for item in value):
        return _shortened(value)
    if isinstance(value, (tuple, list)):
        inner = "; ".join(form_text(item) for item in value[:3])
        more = "; ..." if len(value) > 3 else ""
        return f"{type(value).__name__} of {len(value)}: {inner}{more}"
    if value is None or isinstance(value, bool | int | float | str | dict):
        return _shortened(value)
    return f"a {type(value).__name__}"


def dtype_text(value: Array) -> str:
    """The dtype without its library: `float32`."""
    return values().dtype_text(value)


def numbers_of(value: Any) -> np.ndarray | None:
    """Booleans, or else numbers in float64, of a tensor or array; None where there are none."""
    return values().numbers_of(value)


def _rounded(value: Any) -> Any:
    """Numbers, or lists of them, to four places; where they are huge, to six digits."""
    if isinstance(value, list):
        return [_rounded(item) for item in value]
    return round(value, 4) if abs(value) < _HUGE else float(f"{value:.6g}")


def _has_form(value: Any) -> bool:
    """Whether a value is told by its form, not by its `repr`."""
    if type(value) in (tuple, list):
        return any(map(_has_form, value))
    return values().is_array(value) or isinstance(value, LocalModule)


def _axes_text(axes: DrawnAxes) -> str:
    """What an Axes shows, a line for each thing that is there."""
    lines = [f"axes titled {axes.title!r}" if axes.title else "axes without a title"]
    for name, label, ticks in (
        ("x", axes.xlabel, axes.xticklabels),
        ("y", axes.ylabel, axes.yticklabels),
    ):
        named = f"{label!r}" if label else "without a label"
        lines.append(f"{name} axis {named}, ticks {_shortened(list(ticks))}")
    if axes.mesh is not None:
        bar = "with a colour bar" if axes.colorbar else "without a colour bar"
        lines.append(f"{axes.mesh.shape[0]}×{axes.mesh.shape[1]} colours, {bar}")
    return "\n".join(lines)


def _grid(array: np.ndarray) -> str:
    return np.array2string(array, precision=4, suppress_small=True, max_line_width=100)


def _shortened(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= _SHORT else f"{text[:_SHORT]}..."
