"""In which words it is said what a call was given: the kinds of its arguments, and no number.

A student who reads that code stopped wants to know for which input: with a batch or without one, in
half precision, with an argument left out. So arguments are told by the names that the notebook
gives them, with what no hidden value has a part in: how many axes, which dtype, which device.
"""

import inspect
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from autograder.checks.kit.values import Array, values
from autograder.judging.forms import form_of
from autograder.judging.library import library
from autograder.judging.parts import right_answer
from autograder.student.asked import Asked

AXES = ("no axis", "one axis", "two axes", "three axes", "four axes", "five axes")
USUAL = ("float32", "int64", "bool")


def given(exercise: str, asked: Asked | None) -> str:
    """What a call was given, such as "where `q` and `k` have three axes"; empty if not known.

    Args:
        exercise: whose test called.
        asked: the call.
    """
    if asked is None:
        return ""
    try:
        made, parameters = called(exercise, asked)
    except (AttributeError, LookupError, ImportError, TypeError):
        return ""
    if made:
        return f"when `{asked.name}` is made"
    arguments = dict(zip(parameters, asked.args, strict=False)) | dict(asked.kwargs)
    told = [*_arrays(arguments), *_others(arguments, parameters)]
    if not told:
        return ""
    return "where " + (listed(told) if len(told) < 3 else "; ".join(told))


def called(exercise: str, asked: Asked) -> tuple[bool, Mapping[str, inspect.Parameter]]:
    """Whether a class is called, and the parameters of what is called.

    Raises:
        LookupError, AttributeError, ImportError, TypeError: nobody knows.
    """
    if asked.name is not None:
        found = right_answer(asked.name)
        return isinstance(found, type), inspect.signature(found).parameters
    parameters = dict(inspect.signature(right_answer(exercise).forward).parameters)
    parameters.pop("self")
    return False, parameters


def _arrays(arguments: Mapping[str, Any]) -> Iterator[str]:
    """How many axes arrays have, and what is unusual about their numbers and their place."""
    arrays = {name: one for name, one in arguments.items() if values().is_array(one)}
    forms = {name: form_of(one) for name, one in arrays.items()}
    for axes in dict.fromkeys(len(form.shape) for form in forms.values()):
        names = [name for name, form in forms.items() if len(form.shape) == axes]
        count = AXES[axes] if axes < len(AXES) else "many axes"
        yield f"{_names(names)} {'has' if len(names) == 1 else 'have'} {count}"
        if len({forms[name].shape for name in names}) > 1:
            yield "they differ in shape"
    for dtype in dict.fromkeys(map(unusual_dtype, arrays.values())):
        if dtype:
            names = [name for name, one in arrays.items() if unusual_dtype(one) == dtype]
            yield f"{_names(names)} {'holds' if len(names) == 1 else 'hold'} {dtype} values"
    if any(form.device == "meta" for form in forms.values()):
        yield "tensors are on another device (here `meta`, which stands for any)"


def unusual_dtype(array: Array) -> str:
    """What an array's dtype is called where it is none of the usual; else empty."""
    dtype = str(array.dtype).rpartition(".")[2]
    usual = (*USUAL, "float64") if isinstance(array, np.ndarray) else USUAL
    return "" if dtype in usual else dtype


def _others(
    arguments: Mapping[str, Any], parameters: Mapping[str, inspect.Parameter]
) -> Iterator[str]:
    """Lists among the arguments, options that are set, and what is left out."""
    bare = [n for n, one in arguments.items() if getattr(one, "has_bias", None) is False]
    if bare:
        yield f"{_names(bare)} {'has' if len(bare) == 1 else 'have'} no bias"
    for name, parameter in parameters.items():
        one = arguments.get(name)
        if isinstance(one, list):
            yield f"`{name}` is a list"
        if not values().is_array(one) and is_plain(one) and one != parameter.default:
            yield f"`{name}` is {one}"
        if isinstance(one, bool) and one is not parameter.default:
            yield f"`{name}` is {one}"
        if one is None and parameter.default is None:
            yield f"no `{name}` is given"


def is_plain(value: Any) -> bool:
    """Whether a value is a dtype or a device, which stands for itself."""
    return value is not None and library().form_of(value) is value


def _names(names: list[str]) -> str:
    return listed([f"`{name}`" for name in names])


def listed(parts: list[str]) -> str:
    """Several things in words."""
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))
