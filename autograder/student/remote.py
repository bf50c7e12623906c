"""The `student` fixture over a sandboxed process: calls go there, data comes back."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any

import torch
from torch import Tensor

from autograder.checks.errors import Gradients, StudentDied
from autograder.sandbox.worker import Method, ModuleHandle, Worker


class RemoteStudent:
    """Calls what the student's notebook bound, as `student.causal_mask(5)`.

    Args:
        worker: the process in which the notebook's cells ran.
        deaths: for an exercise whose own cell ended its process, how; using it raises that again.

    Attributes:
        changed_inputs: which arguments the last call changed; positions and keyword names.
    """

    def __init__(
        self, worker: Worker, deaths: Mapping[str, StudentDied] = MappingProxyType({})
    ) -> None:
        self._worker = worker
        self._deaths = deaths
        self._autocast: list[tuple[str, torch.dtype]] = []
        self.changed_inputs: tuple[int | str, ...] = ()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *args, **kwargs: self._call(name, args, kwargs)

    def value(self, name: str) -> Any:
        """What a variable of the student holds, such as the answer `q1`."""
        self._check_alive(name)
        return self._modules(self._worker.value(name))

    def grad(self, target: Any, *args: Any, upstream: Tensor, **kwargs: Any) -> Gradients:
        """Call the target, then pull `upstream` back to its arguments and parameters.

        Args:
            target: a name of the student's, or a module that a call returned.
            upstream: cotangent of the first floating-point output, of the same shape.
        """
        place = Method(target.handle) if isinstance(target, RemoteModule) else target
        self._check_alive(place)
        found = self._worker.grad(
            place, _handles(args), _handles(kwargs), upstream=upstream, autocast=self._autocast
        )
        return Gradients(self._modules(found.value), found.inputs, found.parameters)

    def seed(self, number: int) -> None:
        """Seed torch's random numbers where the student's code runs."""
        self._worker.seed(number)

    @contextmanager
    def autocast(self, device_type: str, dtype: torch.dtype) -> Iterator[None]:
        """Calls inside this context run under autocast."""
        self._autocast.append((device_type, dtype))
        try:
            yield
        finally:
            self._autocast.pop()

    def peak_bytes(self) -> int:
        """The most memory that the student's process has held so far, in bytes; never falls."""
        return self._worker.peak_bytes()

    def _call(self, target: str | Method, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        self._check_alive(target)
        answer = self._worker.call(target, _handles(args), _handles(kwargs), self._autocast)
        self.changed_inputs = answer.changed
        return self._modules(answer.value)

    def _check_alive(self, target: str | Method) -> None:
        if isinstance(target, str) and target in self._deaths:
            raise self._deaths[target]

    def _modules(self, value: Any) -> Any:
        """The value with a RemoteModule for every module in it."""
        if isinstance(value, ModuleHandle):
            return RemoteModule(self, value)
        if type(value) in (list, tuple):
            return type(value)(self._modules(item) for item in value)
        if type(value) is dict:
            return {key: self._modules(item) for key, item in value.items()}
        return value


class RemoteModule:
    """A module of the student's: callable, and any method of it by name.

    Attributes:
        handle: which module of which process it is.
    """

    def __init__(self, student: RemoteStudent, handle: ModuleHandle) -> None:
        self._student = student
        self.handle = handle

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the module's forward pass."""
        return self._student._call(Method(self.handle), args, kwargs)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)

        def method(*args: Any, **kwargs: Any) -> Any:
            result = self._student._call(Method(self.handle, name), args, kwargs)
            # train(), double() and their like return the module, so that calls can be chained.
            same = isinstance(result, RemoteModule) and result.handle == self.handle
            return self if same else result

        return method


def _handles(value: Any) -> Any:
    """The arguments with a handle for every RemoteModule in them."""
    if isinstance(value, RemoteModule):
        return value.handle
    if type(value) in (list, tuple):
        return type(value)(_handles(item) for item in value)
    if type(value) is dict:
        return {key: _handles(item) for key, item in value.items()}
    return value
