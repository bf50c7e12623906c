"""Values for a person: few numbers in full, of many the row that tells."""

from typing import Any

import numpy as np

from autograder.checks.kit.local_student import LocalModule
from autograder.checks.kit.values import values
from autograder.disputes.literals import FEW
from autograder.student import Gradients, RemoteModule
from autograder.student.remote import RemoteAxes

IN_A_ROW = 5


def told_both(found: Any, right: Any) -> tuple[str, str]:
    """What came back and what is right, of large arrays the row in which they differ most."""
    if isinstance(found, Gradients) and isinstance(right, Gradients):
        found, right = _by_name(found), _by_name(right)
    if _are_alike(found, right):
        place = place_of_difference(found, right)
        return told(found, at=place), told(right, at=place)
    several = isinstance(found, tuple | list) and isinstance(right, tuple | list)
    if several and len(found) == len(right) and any(map(values().is_array, right)):
        pairs = [told_both(one, other) for one, other in zip(found, right, strict=True)]
        return _numbered([one for one, _ in pairs]), _numbered([other for _, other in pairs])
    if isinstance(found, dict) and isinstance(right, dict):
        both = {name: told_both(found.get(name), one) for name, one in right.items()}
        first = "\n".join(f"{name}: {one}" for name, (one, _) in both.items())
        return first, "\n".join(f"{name}: {other}" for name, (_, other) in both.items())
    return told(found), told(right)


def _by_name(found: Gradients) -> dict[str, Any]:
    named = {f"gradient of argument {n}": one for n, one in enumerate(found.inputs, 1)}
    named |= {f"gradient of {name}": one for name, one in found.parameters.items()}
    return {"result": found.value} | {name: one for name, one in named.items() if one is not None}


def _numbered(texts: list[str]) -> str:
    return "\n".join(f"[{place}] {text}" for place, text in enumerate(texts))


def _are_alike(one: Any, other: Any) -> bool:
    arrays = values().is_array(one) and values().is_array(other)
    return arrays and tuple(one.shape) == tuple(other.shape)


def place_of_difference(found: Any, right: Any) -> tuple[int, ...] | None:
    """Where two arrays of one shape differ most; None where nothing can be told."""
    ours, theirs = values().numbers_of(found), values().numbers_of(right)
    if ours is None or theirs is None or not ours.size:
        return None
    apart = distances(ours, theirs)
    return tuple(int(one) for one in np.unravel_index(int(apart.argmax()), apart.shape))


def distances(one: np.ndarray, other: np.ndarray) -> np.ndarray:
    """How far numbers lie from each other, in float64; infinitely far where one alone is NaN."""
    one, other = one.astype(np.float64), other.astype(np.float64)
    with np.errstate(invalid="ignore"):
        apart: np.ndarray = np.abs(one - other)
    apart = np.where((one == other) | (np.isnan(one) & np.isnan(other)), 0.0, apart)
    return np.where(np.isnan(apart), np.inf, apart)


def told(value: Any, most: int = FEW, at: tuple[int, ...] | None = None) -> str:
    """A value for a person.

    Args:
        value: the value.
        most: how many numbers are told in full.
        at: where to look in an array of more; at its beginning where nothing is said.
    """
    if isinstance(value, RemoteModule | LocalModule):
        return "a module"
    if isinstance(value, RemoteAxes):
        return "an empty Axes"
    if values().is_array(value):
        return _told_array(value, most, at)
    if isinstance(value, tuple | list):
        if all(type(one) in (bool, int, float, str) for one in value):
            return _bounded(repr(value))
        return "\n".join(f"[{place}] {told(one, most)}" for place, one in enumerate(value[:8]))
    if isinstance(value, dict):
        parts = [f"{key}: {told(one, 0)}" for key, one in list(value.items())[:12]]
        return "\n".join(parts) + ("\n..." if len(value) > 12 else "")
    if isinstance(value, np.generic):
        return _bounded(repr(value.item()))
    if value is None or isinstance(value, bool | int | float | str):
        return _bounded(repr(value))
    return _bounded(
        str(value) if type(value).__module__.startswith("torch") else f"a {type(value).__name__}"
    )


def _told_array(array: Any, most: int, at: tuple[int, ...] | None) -> str:
    kind, dtype = values().noun(array), values().dtype_text(array)
    device = values().device_text(array)
    where = "" if device == "cpu" else f", on the {device} device"
    form = f"{kind}, shape {tuple(array.shape)}, {dtype}{where}"
    numbers = values().numbers_of(array)
    if numbers is None or not numbers.size or not most:
        return form
    if values().holds_integers(array):
        numbers = numbers.astype(np.int64)
    if numbers.size <= most:
        return f"{form}\n{_grid(numbers)}"
    at = at if at is not None else (0,) * numbers.ndim
    first = max(0, min(at[-1] - IN_A_ROW // 2, numbers.shape[-1] - IN_A_ROW))
    last = min(first + IN_A_ROW, numbers.shape[-1])
    where = ", ".join([*map(str, at[:-1]), f"{first}:{last}"])
    return f"{form}\n[{where}] is {_grid(numbers[at[:-1]][first:last])}"


def _grid(numbers: np.ndarray) -> str:
    return np.array2string(numbers, precision=5, suppress_small=True, max_line_width=96)


def _bounded(text: str) -> str:
    return text if len(text) <= 300 else f"{text[:299]}…"
