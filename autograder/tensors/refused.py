"""Stand-ins for tensors that no grader can compute with, as `judging.refused` has for arrays."""

from collections.abc import Callable, Iterable
from typing import Any

from torch import Tensor

from autograder.judging.assertions import Wrong
from autograder.tensors.operations import tensors

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


def refused_tensor(tensor: Tensor, symptom: str) -> RefusedTensor:
    """The stand-in for a tensor.

    Args:
        tensor: what the student's code gave.
        symptom: why it is refused.
    """
    stand_in: RefusedTensor = Tensor._make_subclass(RefusedTensor, tensor.detach())
    stand_in.symptom = symptom
    return stand_in
