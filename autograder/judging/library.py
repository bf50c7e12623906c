"""What judging asks of the library that a course's values are of; NumPy, here.

`autograder.tensors.library` answers for torch, too.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import TYPE_CHECKING, Any

import numpy as np

from autograder.checks.kit.errors import StudentError
from autograder.checks.kit.libraries import with_torch
from autograder.checks.kit.values import Array

if TYPE_CHECKING:
    from autograder.judging.answering import Answers


class Library:
    """What is asked; this answers for NumPy's arrays and Python's own values."""

    def prepare(self) -> None:
        """Before a grading process loads anything else."""

    def warm(self) -> None:
        """Load what the first wrong answers need."""

    def can_rehearse(self) -> bool:
        """Whether answers may run in a process that is forked afterwards."""
        return True

    def form_of(self, value: Any) -> Any:
        """The form of what only this library has: a `forms.Form`, or the value; else None."""
        return None

    def made(self, form: Any) -> Any:
        """Something of a form that only this library has, without content; else the form itself."""
        return form

    def without_content(self) -> AbstractContextManager[Any]:
        """A reference that runs inside need give no content."""
        return nullcontext()

    def without_gradients(self) -> AbstractContextManager[Any]:
        """What runs inside is not differentiated."""
        return nullcontext()

    def is_computable(self, array: Array) -> bool:
        """Whether all of the library's operations know an array's dtype."""
        return True

    def widened(self, value: Any) -> Any:
        """A value that has numbers with these in float64; None for what has none."""
        if isinstance(value, np.ndarray) and value.dtype.kind == "f":
            return value.astype(np.float64)
        return float(value) if isinstance(value, np.floating) else None

    def refused(self, array: Array, symptom: str) -> Any:
        """A stand-in for an array that cannot be computed with."""
        from autograder.judging.refused import refused_array

        return refused_array(array, symptom)

    def drawn(self, normal: np.ndarray, dtype: Any, device: str) -> Array:
        """Values that were drawn, as a tensor."""
        raise RuntimeError("Draw.array draws NumPy's arrays; tensors need torch.")

    def order_of(self, array: Array) -> Sequence[int] | None:
        """Of a view, its axes as they lie in memory, the outermost first; None of any other."""
        assert isinstance(array, np.ndarray)
        return None if array.flags.c_contiguous else outermost_first(array.strides)

    def with_axes(self, array: Array, order: Sequence[int]) -> Array:
        """A view of an array with its axes in another order."""
        assert isinstance(array, np.ndarray)
        return array.transpose(*order)

    def kind_of_error(self, error: StudentError) -> str:
        """What an error is about, the same for every version of the library and every machine."""
        return error.type_name

    def makes_modules(self, part: Callable[..., Any]) -> bool:
        """Whether a right answer is a class of modules."""
        return False

    def answers(self, parts: Mapping[str, Any]) -> "Answers":
        """What answers questions about right answers."""
        from autograder.judging.answering import Answers

        return Answers(parts)


def outermost_first(strides: Sequence[int]) -> Sequence[int]:
    """The axes of an array as they lie in memory, by its strides."""
    return sorted(range(len(strides)), key=lambda axis: -abs(strides[axis]))


_known = [Library()]


def know(library: Library) -> None:
    """Have this asked from now on."""
    _known[0] = library


def library() -> Library:
    """What judging asks here."""
    with_torch("autograder.tensors.library")
    return _known[0]
