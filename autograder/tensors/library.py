"""What judging asks of torch; importing this has it asked."""

import copy
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn

from autograder.checks.kit.errors import StudentError
from autograder.checks.kit.values import Array
from autograder.judging.answering import Answers
from autograder.judging.forms import Form
from autograder.judging.library import Library, know, outermost_first
from autograder.tensors.answering import TensorAnswers
from autograder.tensors.devices import kind_of
from autograder.tensors.inside.dynamo import leave_out_compiler
from autograder.tensors.refused import refused_tensor

COMPUTABLE = frozenset(
    {
        *(torch.bool, torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64),
        *(torch.float16, torch.bfloat16, torch.float32, torch.float64),
    }
)
"""Dtypes that all of torch's operations know."""


class TorchLibrary(Library):
    """What is asked, of tensors too; NumPy's arrays are answered for as ever."""

    def prepare(self) -> None:
        """Before a grading process loads anything else."""
        torch.set_num_threads(1)

    def warm(self) -> None:
        """Load what the first wrong answers need, while the fork server loads.

        A product on the meta device imports sympy, which each of several workers would do on its
        own.
        """
        leave_out_compiler()
        meta = torch.empty(2, 2, 2, device="meta")
        torch.softmax(meta @ meta, dim=-1)

    def can_rehearse(self) -> bool:
        """Whether gradients computed here start no threads; after it no fork could compute any."""
        return hasattr(torch, "accelerator") and not torch.accelerator.is_available()

    def form_of(self, value: Any) -> Any:
        """The form of a tensor; a dtype or a device stands for itself."""
        if isinstance(value, Tensor):
            return Form(Tensor, value.dtype, tuple(value.shape), value.device.type)
        return value if isinstance(value, torch.dtype | torch.device) else None

    def made(self, form: Any) -> Any:
        """A tensor of a form, on the meta device; for a device, that one."""
        if isinstance(form, Form):
            return torch.empty(form.shape, dtype=form.dtype, device="meta")
        return torch.device("meta") if isinstance(form, torch.device) else form

    @contextmanager
    def without_content(self) -> Iterator[None]:
        """A reference that runs inside makes tensors on the meta device."""
        with torch.device("meta"), torch.no_grad():
            yield

    def without_gradients(self) -> AbstractContextManager[Any]:
        """What runs inside is not differentiated."""
        return torch.no_grad()

    def is_computable(self, array: Array) -> bool:
        """Whether all of torch's operations know a tensor's dtype."""
        return isinstance(array, np.ndarray) or array.dtype in COMPUTABLE

    def widened(self, value: Any) -> Any:
        """A value with its numbers in float64, on the CPU where it has any."""
        if isinstance(value, nn.Module):
            return copy.deepcopy(value)._apply(self.widened)
        if not isinstance(value, Tensor):
            return super().widened(value)
        near = value.detach() if value.is_meta else value.detach().cpu()
        return near.double() if near.is_floating_point() else near

    def refused(self, array: Array, symptom: str) -> Any:
        """A stand-in for what cannot be computed with."""
        if isinstance(array, Tensor):
            return refused_tensor(array, symptom)
        return super().refused(array, symptom)

    def drawn(self, normal: np.ndarray, dtype: Any, device: str) -> Array:
        """Values that were drawn, as a tensor."""
        return torch.from_numpy(normal).to(dtype=dtype or torch.float32, device=device)

    def order_of(self, array: Array) -> Sequence[int] | None:
        """Of a view, its axes as they lie in memory, the outermost first; None of any other."""
        if not isinstance(array, Tensor):
            return super().order_of(array)
        return None if array.is_contiguous() else outermost_first(array.stride())

    def with_axes(self, array: Array, order: Sequence[int]) -> Array:
        """A view of an array with its axes in another order."""
        if not isinstance(array, Tensor):
            return super().with_axes(array, order)
        return array.permute(*order)

    def kind_of_error(self, error: StudentError) -> str:
        """What an error is about, the same for every version of torch and every machine."""
        return kind_of(error)

    def makes_modules(self, part: Callable[..., Any]) -> bool:
        """Whether a right answer is a class of modules."""
        return isinstance(part, type) and issubclass(part, nn.Module)

    def answers(self, parts: Mapping[str, Any]) -> Answers:
        """What answers questions about right answers."""
        return TensorAnswers(parts)


know(TorchLibrary())
