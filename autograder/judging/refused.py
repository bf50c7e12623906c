"""Stand-ins for tensors and arrays that no grader can compute with.

Their form can be read, so that a test of form says what it sees. Whatever else is asked of them
fails the claim that asks.
"""

from collections.abc import Callable, Iterable
from typing import Any, NoReturn

import numpy as np
import torch
from torch import Tensor

from autograder.judging.assertions import Wrong
from autograder.judging.operations import tensors

_READ = ("shape", "dtype", "device", "ndim", "is_meta", "requires_grad")
READABLE = frozenset(
    {
        *(getattr(Tensor, name).__get__ for name in _READ),
        *(Tensor.dim, Tensor.size, Tensor.numel, Tensor.is_floating_point, Tensor.is_complex),
    }
)


class RefusedTensor(Tensor):
    """A tensor that can be looked at, and not computed with.

    Attributes:
        symptom: why, in words for the student.
    """

    symptom: str

    @classmethod
    def __torch_function__(
        cls,
        function: Callable[..., Any],
        types: Iterable[type],
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        """Read the form, or fail the claim that asks for more."""
        if function in READABLE:
            return super().__torch_function__(function, types, args, kwargs)
        given = tensors([args, kwargs or {}])
        raise Wrong(next(one.symptom for one in given if isinstance(one, RefusedTensor)))


class RefusedArray(np.ndarray):
    """An array that can be looked at, and not computed with.

    Attributes:
        symptom: why, in words for the student.
    """

    symptom = "Your array cannot be computed with."  # of a part of it

    def __array_ufunc__(self, *_: Any, **__: Any) -> NoReturn:
        """Fail the claim that computes with it."""
        raise Wrong(self.symptom)

    __array_function__ = __array_ufunc__


def refused(value: Tensor | np.ndarray, symptom: str) -> RefusedTensor | RefusedArray:
    """The stand-in for a value.

    Args:
        value: what the student's code gave.
        symptom: why it is refused.
    """
    stand_in: RefusedTensor | RefusedArray
    if isinstance(value, Tensor):
        stand_in = torch.Tensor._make_subclass(RefusedTensor, value.detach())
    else:
        stand_in = value.view(RefusedArray)
    stand_in.symptom = symptom
    return stand_in
