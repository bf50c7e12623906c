"""Checks that need no reference: of a result's form, and of what a call does to its inputs."""

from typing import Any

import numpy as np
import torch
from torch import Tensor

from autograder.judging.assertions import Wrong, assert_matches


def assert_varied(result: object, like: Tensor | np.ndarray) -> None:
    """Refuse what no property can be asked of: another type or shape, or one value everywhere.

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
    if bool((result == result.reshape(-1)[0]).all()):
        raise Wrong("Your result holds one value everywhere.")


def assert_inputs_unchanged(student: Any, result: object) -> None:
    """Refuse a call that changed what it was given, or that gave nothing back."""
    if not isinstance(result, Tensor | np.ndarray):
        raise Wrong("Your code gives back neither a tensor nor an array.")
    if student.changed_inputs:
        raise Wrong("Your code changes a tensor or array that it was given.")


def assert_names_numbers(message: str, *numbers: int) -> None:
    """Refuse an error text that leaves out one of the numbers that do not fit together."""
    if not all(str(number) in message for number in numbers):
        raise Wrong("The error's text does not name both numbers.")


def same_bits(one: Tensor, other: Tensor) -> bool:
    """Whether two tensors hold the same values exactly; NaN equals nothing."""
    return one.shape == other.shape and one.dtype == other.dtype and torch.equal(one, other)
