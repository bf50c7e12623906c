"""In which words it is said what a call was given: the kinds of its arguments, and no number.

A student who reads that code stopped wants to know for which input: with a batch or without one, in
half precision, with an argument left out. So arguments are told by the names that the notebook
gives them, with what no hidden value has a part in: how many axes, which dtype, which device.
"""

import inspect
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from autograder.checks.kit.values import values
from autograder.judging.forms import Form, form_of
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
        made, parameters = _called(exercise, asked)
    except (AttributeError, LookupError, ImportError, TypeError):
        return ""
    if made:
        return f"when `{asked.name}` is made"
    arguments = dict(zip(parameters, asked.args, strict=False)) | dict(asked.kwargs)
    told = [*_arrays(arguments), *_others(arguments, parameters)]
    if not told:
        return ""
    return "where " + (_listed(told) if len(told) < 3 else "; ".join(told))


def _called(exercise: str, asked: Asked) -> tuple[bool, Mapping[str, inspect.Parameter]]:
    """Whether a class is called, and the parameters of what is called."""
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
    for dtype in dict.fromkeys(map(_unusual_dtype, forms.values())):
        if dtype:
            names = [name for name, form in forms.items() if _unusual_dtype(form) == dtype]
            yield f"{_names(names)} {'holds' if len(names) == 1 else 'hold'} {dtype} values"
    if any(form.device == "meta" for form in forms.values()):
        yield "tensors are on another device (here `meta`, which stands for any)"


def _unusual_dtype(form: Form) -> str:
    dtype = str(form.dtype).rpartition(".")[2]
    usual = (*USUAL, "float64") if form.kind is np.ndarray else USUAL
    return "" if dtype in usual else dtype


def _others(
    arguments: Mapping[str, Any], parameters: Mapping[str, inspect.Parameter]
) -> Iterator[str]:
    """Lists among the arguments, options that are set, and what is left out."""
    for name, parameter in parameters.items():
        one = arguments.get(name)
        if isinstance(one, list):
            yield f"`{name}` is a list"
        if isinstance(one, bool) and one is not parameter.default:
            yield f"`{name}` is {one}"
        if one is None and parameter.default is None:
            yield f"no `{name}` is given"


def _names(names: list[str]) -> str:
    return _listed([f"`{name}`" for name in names])


def _listed(parts: list[str]) -> str:
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))
