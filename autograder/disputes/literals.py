"""Values as Python that makes them again, to the last bit."""

import base64
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from autograder.checks.kit.values import values
from autograder.student import RemoteModule
from autograder.student.remote import RemoteAxes

FEW = 60
"""Numbers that are written one by one; more are packed."""


def literal(value: Any, names: Mapping[Any, str]) -> str:
    """Python that makes a value, where `torch`, `np` and `unpacked` are at hand.

    Args:
        value: numbers, text, arrays, tensors, and what holds them.
        names: what modules and Axes are called there, by their handles.

    Raises:
        ValueError: it cannot be written, such as a module that nothing there has made.
    """
    if isinstance(value, RemoteModule | RemoteAxes) and value.handle in names:
        return names[value.handle]
    if values().is_array(value):
        return _array(value)
    if isinstance(value, np.generic):
        return f"np.{value.dtype.name}({_number(value.item())})"
    if isinstance(value, tuple | list):
        inner = ", ".join(literal(one, names) for one in value)
        if isinstance(value, list):
            return f"[{inner}]"
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    if isinstance(value, dict):
        pairs = (f"{key!r}: {literal(one, names)}" for key, one in value.items())
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, float | complex):
        return _number(value)
    if value is None or isinstance(value, bool | int | str | bytes):
        return repr(value)
    module, kind = type(value).__module__, type(value).__name__
    if module.partition(".")[0] == "torch" and kind in ("dtype", "device"):
        return str(value) if kind == "dtype" else f"torch.device({str(value)!r})"
    raise ValueError(f"a {kind} cannot be written as Python")


def is_large(value: Any) -> bool:
    """Whether a value deserves a line of its own."""
    if values().is_array(value):
        return True
    if isinstance(value, tuple | list):
        return any(map(is_large, value))
    return isinstance(value, dict) and any(map(is_large, value.values()))


def _array(array: Any) -> str:
    is_tensor = not isinstance(array, np.ndarray)
    dtype = values().dtype_text(array)
    if values().device_text(array) == "meta":
        return f'torch.empty({tuple(array.shape)}, dtype=torch.{dtype}, device="meta")'
    plain = np.ascontiguousarray(values().as_numpy(array))
    if plain.dtype.kind not in "biuf":
        raise ValueError(f"{dtype} values cannot be written as Python")
    shape = tuple(array.shape)
    module, name = ("torch", dtype) if is_tensor else ("np", plain.dtype.type.__name__)
    if not plain.size:
        return f"{module}.empty({shape}, dtype={module}.{name})"
    if plain.size <= FEW:
        made = "torch.tensor" if is_tensor else "np.array"
        return f"{made}({_listed(plain.reshape(shape))}, dtype={module}.{name})"
    packed = base64.b64encode(zlib.compress(plain.tobytes(), 9)).decode()
    text = f"unpacked({packed!r}, {plain.dtype.name!r}, {shape})"
    if not is_tensor:
        return text
    return f"torch.from_numpy({text})" + (
        f".to(torch.{dtype})" if plain.dtype.name != dtype else ""
    )


def _listed(array: np.ndarray) -> str:
    if array.ndim:
        return f"[{', '.join(map(_listed, array))}]"
    number = array.item()
    if array.dtype.kind == "f":
        short = float(str(array[()]))  # as few digits as tell it from its neighbours
        number = short if array.dtype.type(short) == array[()] else number
        return _number(number)
    return repr(number)


def _number(value: Any) -> str:
    if isinstance(value, float) and not np.isfinite(value):
        return f'float("{value}")'
    return repr(value)
