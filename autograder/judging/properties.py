"""Checks that need no reference: of a result's form, and of what a call does to its inputs."""

import builtins
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor

from autograder.checks.errors import MissingName, StudentError
from autograder.judging.assertions import Wrong, assert_matches


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


def same_bits(one: Tensor, other: Tensor) -> bool:
    """Whether two tensors hold the same values exactly; NaN equals nothing."""
    return one.shape == other.shape and one.dtype == other.dtype and torch.equal(one, other)
