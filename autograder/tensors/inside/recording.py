"""One call, and the tensor operations that ran during it, as plain data.

What is recorded runs beside the student's code, which can switch the recording off, work outside of
torch, or say what it likes: it is a claim. The trusted side runs it again on other inputs before it
believes any of it.
"""

import sys
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import torch
from torch import Tensor, nn
from torch.utils._python_dispatch import TorchDispatchMode

from .kernels import counting_kernels

MOST_OPERATIONS = 4000

Reference = tuple[str | int, ...]

_DATA = (bool, int, float, str, torch.dtype, torch.device)


def record(
    call: Callable[..., Any], args: list[Any], kwargs: dict[str, Any]
) -> tuple[Any, dict[str, Any]]:
    """Call it under a recording of its operations.

    Returns:
        the value, and a dict. "operations" holds [name, args, kwargs] of each: a tensor in them is
        a tuple, ("input", place), ("parameter", name), ("constant", number) or ("made", number of
        the operation, place among its results). "constants" holds the tensors that came from
        elsewhere; "result" says which tensor the value is, or None; "complete" whether everything
        was kept; "kernels" what Triton's interpreter ran.
    """
    parameters = dict(call.named_parameters()) if isinstance(call, nn.Module) else {}
    recording = Recording(dict(enumerate(args)) | kwargs, parameters)
    with _compiled_code_as_written(), counting_kernels() as recording.kernels, recording:
        value = call(*args, **kwargs)
    return value, recording.as_data(value)


class Recording(TorchDispatchMode):
    """Notes every operation that torch runs while it is entered.

    Args:
        inputs: the arguments of the call, by position or name.
        parameters: the module's own, by name.
    """

    def __init__(self, inputs: Mapping[int | str, Any], parameters: Mapping[str, Tensor]) -> None:
        super().__init__()
        self._known: dict[int, Reference] = {}
        self._alive: list[Tensor] = []  # a tensor's id may go to another once it is gone
        self._operations: list[list[Any]] = []
        self._constants: list[Tensor] = []
        self._complete = True
        self.kernels: dict[str, int] = {}
        for name, parameter in parameters.items():
            self._know(parameter, ("parameter", name))
        for place, value in inputs.items():
            self._know(value, ("input", place))

    def __torch_dispatch__(
        self, function: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Run the operation, or the simpler ones that it is made of, and note what ran."""
        kwargs = kwargs or {}
        with self:
            simpler = function.decompose(*args, **kwargs)
        if simpler is not NotImplemented:
            return simpler
        # Before it runs: it may change a constant in place.
        noted = [str(function), self._described(args), self._described(kwargs)]
        result = function(*args, **kwargs)
        if len(self._operations) < MOST_OPERATIONS:
            number = len(self._operations)
            self._operations.append(noted)
            for place, tensor in enumerate(tensors_in(result)):
                self._know(tensor, ("made", number, place))
        else:
            self._complete = False
        return result

    @classmethod
    def _should_skip_dynamo(cls) -> bool:
        return False  # telling Dynamo to skip us would import it, which takes seconds

    def as_data(self, value: Any) -> dict[str, Any]:
        """What was recorded, where this value is the outcome."""
        return {
            "operations": self._operations,
            "constants": self._constants,
            "result": self._known.get(id(value)),
            "complete": self._complete,
            "kernels": self.kernels,
        }

    def _know(self, value: Any, reference: Reference) -> None:
        if isinstance(value, Tensor) and id(value) not in self._known:
            self._known[id(value)] = reference
            self._alive.append(value)

    def _described(self, value: Any) -> Any:
        if isinstance(value, Tensor):
            if id(value) not in self._known and self._complete:
                self._know(value, ("constant", len(self._constants)))
                self._constants.append(value.detach().clone())
            return self._known.get(id(value))
        if isinstance(value, list | tuple):
            return [self._described(item) for item in value]
        if isinstance(value, dict):
            return {name: self._described(item) for name, item in value.items()}
        if isinstance(value, torch.memory_format):
            return str(value).removeprefix("torch.")
        return value if type(value) in _DATA else None


def tensors_in(result: Any) -> list[Tensor]:
    """The tensors that an operation returns, in order."""
    if isinstance(result, Tensor):
        return [result]
    if isinstance(result, list | tuple):
        return [tensor for item in result for tensor in tensors_in(item)]
    return []


def _compiled_code_as_written() -> AbstractContextManager[Any]:
    """`torch.compile` refuses to be recorded, unless it is told to compile nothing."""
    if "torch._dynamo" not in sys.modules:  # importing it takes seconds
        return nullcontext()
    stance: AbstractContextManager[Any] = torch.compiler.set_stance("force_eager")
    return stance
