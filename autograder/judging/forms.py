"""The forms of arguments and results: kind, dtype, shape and device, and nothing of the content."""

from collections.abc import Hashable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from autograder.judging.library import library
from autograder.sandbox.worker import ModuleHandle
from autograder.student import RemoteModule

Named = tuple[tuple[str, Any], ...]
"""Names and forms of keyword arguments."""


DEVICE_TYPES = ("cpu", "meta", "cuda")


class Form(NamedTuple):
    """The form of a tensor or an array.

    Attributes:
        kind: np.ndarray, or the type of tensors.
        dtype: of the numbers.
        shape: of the axes.
        device: its type, such as "cpu".
    """

    kind: type
    dtype: Any
    shape: tuple[int, ...]
    device: str


class Several(NamedTuple):
    """The forms of what a tuple, a list or a dictionary holds.

    Attributes:
        kind: tuple, list or dict.
        keys: the dictionary's; none otherwise.
        parts: their forms, in order.
    """

    kind: type
    keys: tuple[Hashable, ...]
    parts: tuple[Any, ...]


class ModuleForm(NamedTuple):
    """A module, by how it was made.

    Attributes:
        name: the exercise that was called.
        args: forms of the arguments.
        kwargs: names and forms of the keyword arguments.
        moves: methods that were called since, each with the forms of its arguments.
    """

    name: str
    args: tuple[Any, ...]
    kwargs: Named
    moves: tuple[tuple[str, tuple[Any, ...], Named], ...] = ()


NO_MODULES: Mapping[ModuleHandle, ModuleForm] = MappingProxyType({})


def form_of(value: Any, modules: Mapping[ModuleHandle, ModuleForm] = NO_MODULES) -> Any:
    """The form of a value; numbers and text stand for themselves, what has no form is None.

    Args:
        value: an argument, or a result.
        modules: the forms of a student's modules, where they are known.
    """
    match value:
        case np.ndarray():
            return Form(np.ndarray, value.dtype, value.shape, "cpu")
        case tuple() | list():
            kind = tuple if isinstance(value, tuple) else list
            return Several(kind, (), tuple(form_of(part, modules) for part in value))
        case dict():
            parts = tuple(form_of(part, modules) for part in value.values())
            return Several(dict, tuple(value), parts)
        case RemoteModule():
            return modules.get(value.handle)
        case np.generic():
            return value.item()
        case bool() | int() | float() | str():
            return value
    return library().form_of(value)


def devices_of(form: Any) -> set[str]:
    """The devices that tensors of a form are on, and those that it names."""
    match form:
        case Form():
            return {form.device}
        case Several():
            return set[str]().union(*map(devices_of, form.parts))
        case ModuleForm():
            named = (part for _, _, kwargs in form.moves for _, part in kwargs)
            given = (part for _, args, _ in form.moves for part in args)
            return set[str]().union(*map(devices_of, (*named, *given)))
    device = str(form).partition(":")[0]  # text, or a library's own device
    return {device} if device in DEVICE_TYPES else set()
