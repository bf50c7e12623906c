"""Checks that need no reference: of a result's form, of what a call does to its inputs, of laws.

A law compares an answer with itself: it holds of every right answer, whatever its values are.
"""

import builtins
from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
import torch
from torch import Tensor

from autograder.checks.errors import MissingName, StudentError
from autograder.judging.assertions import Wrong, assert_matches
from autograder.judging.tolerance import compared, law_bound


def assert_varied(result: object, like: Tensor | np.ndarray) -> None:
    """Refuse what no property can be asked of: another type or shape, NaN, one value everywhere.

    Args:
        result: what the student's code returned.
        like: something of the type and shape that was promised.
    """
    if not isinstance(result, type(like)) or tuple(result.shape) != tuple(like.shape):
        assert_matches(result, like)
    assert isinstance(result, Tensor | np.ndarray)
    if isinstance(result, Tensor) and result.device.type != str(like.device).split(":")[0]:
        assert_matches(result, like)
    numbers = result.is_floating_point() if isinstance(result, Tensor) else result.dtype.kind == "f"
    if not numbers:
        raise Wrong("Your result does not hold floating-point numbers.")
    missing = result.isnan() if isinstance(result, Tensor) else np.isnan(result)
    if bool(missing.any()):
        raise Wrong("NaN appears in your result.")
    if bool((result == result.reshape(-1)[0]).all()):
        raise Wrong("Your result holds one value everywhere.")


def assert_inputs_unchanged(student: Any, result: object) -> None:
    """Refuse a call that changed what it was given, or that gave nothing back."""
    if not isinstance(result, Tensor | np.ndarray):
        raise Wrong("Your code gives back neither a tensor nor an array.")
    if student.changed_inputs:
        raise Wrong("Your code changes a tensor or array that it was given.")


def assert_heads_refused(
    call: Callable[[int, int], object],
    d_model: int,
    num_heads: int,
    misconception: str | None = None,
) -> None:
    """Refuse a call that does not raise ValueError, or whose error leaves out a number.

    Args:
        call: calls the student's code with d_model and num_heads.
        d_model: a width.
        num_heads: a number of heads that cannot share it.
        misconception: the slug of the known mistake that the call shows when it raises no
            ValueError.
    """
    try:
        call(d_model, num_heads)
    except MissingName:
        raise
    except StudentError as error:
        if not issubclass(getattr(builtins, error.builtin, Exception), ValueError):
            text = "A bad number of heads raises another error than ValueError."
            raise Wrong(text, misconception) from None
        if not all(str(number) in error.message for number in (d_model, num_heads)):
            raise Wrong("The error's text does not name both numbers.") from None
        return
    raise Wrong("A bad number of heads is accepted in silence.", misconception)


def assert_no_bias(module: Any, layers: Iterable[str]) -> None:
    """Refuse a module with a bias in one of these layers, even one that no output tells.

    A bias of the keys moves all scores of a query alike, so that softmax takes it away again; it is
    a parameter all the same.
    """
    state = module.state_dict()
    if not isinstance(state, Mapping):
        raise Wrong("Your module's state_dict is not that of nn.Module.")
    if any(f"{layer}.bias" in state for layer in layers):
        raise Wrong("Some projection has a bias where none was asked for.")


def same_bits(one: Tensor, other: Tensor) -> bool:
    """Whether two tensors hold the same values exactly; NaN equals nothing."""
    return one.shape == other.shape and one.dtype == other.dtype and torch.equal(one, other)


def assert_agree(one: Tensor, other: Tensor, symptom: str) -> None:
    """Refuse two results of one answer that a law makes equal, but for rounding.

    Raises:
        Wrong: they differ; says the symptom.
    """
    same_form = one.shape == other.shape
    if not same_form or compared(one, other.double(), law_bound(one, other), "laws") > 1:
        raise Wrong(symptom)


def assert_linear(average: Callable[[Tensor], Tensor], one: Tensor, other: Tensor) -> None:
    """Refuse averages that do not grow with their values, add where those add, and begin at 0.

    Args:
        average: gives the output for values of the shape of `one`; a tensor of its dtype.
        one: some values.
        other: others, of the same shape.
    """
    large, small = 2.0**12, 2.0**-30  # powers of two, so that no value is rounded anew
    first, second = average(one), average(other)
    symptom = "Your output does not follow its values: {} values do not give {} output."
    pairs = (
        (large * one, large * first, "large", "as large an"),
        (small * one, small * first, "small", "as small an"),
        (one + other, first + second, "added", "the added"),
    )
    for values, wanted, *words in pairs:
        assert_agree(average(values), wanted, symptom.format(*words))


def assert_apart(attend: Callable[[Tensor], Tensor], x: Tensor, changed: Tensor) -> None:
    """Refuse texts of a batch that meet: what comes out for one tells nothing of the others.

    Args:
        attend: gives what comes out for a batch, with the batch in front; no view of it.
        x: a batch.
        changed: the same but for the first text, which may hold huge numbers in it.
    """
    before, after, turned = attend(x), attend(changed), attend(x.flip(0))
    if not same_bits(before[1:], after[1:]):
        raise Wrong("A change in one text of the batch changes what comes out for another.")
    assert_agree(before.flip(0), turned, "What comes out for a text depends on its place.")
