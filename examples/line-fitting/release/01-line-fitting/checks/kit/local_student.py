"""The `student` fixture over a namespace: runs the student's code in this very process."""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path, PurePath
from types import CodeType
from typing import Any, NoReturn

import numpy as np
import torch
from torch import Tensor, nn

from .drawn import closing_figures, described, new_axes
from .errors import Gradients, MissingName, StudentError, builtin_name


class LocalStudent:
    """Calls what a namespace holds, as `student.row_sums(5)`.

    Args:
        namespace: the notebook's.
        folder: where files are placed.

    Attributes:
        changed_inputs: which arguments the last call changed; positions and keyword names.
    """

    def __init__(self, namespace: dict[str, Any], folder: Path = Path()) -> None:
        self._namespace = namespace
        self._folder = folder
        self.changed_inputs: tuple[int | str, ...] = ()

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *args, **kwargs: self._call(self._function(name), args, kwargs)

    def value(self, name: str) -> Any:
        """What a variable of the student holds, such as the answer `q1`."""
        if name not in self._namespace:
            raise MissingName(name)
        return self._namespace[name]

    def grad(
        self,
        target: Any,
        *args: Any,
        upstream: Tensor | tuple[Tensor | None, ...],
        **kwargs: Any,
    ) -> Gradients:
        """Call the target, then pull `upstream` back to its arguments and parameters.

        Args:
            target: a name of the student's, or a module that a call returned.
            upstream: cotangent of the first floating-point output, of the same shape; or a tuple of
                one for each floating-point output, None to skip one.
        """
        module = target.module if isinstance(target, LocalModule) else None
        function = module if module is not None else self._function(target)
        leaves = [_leaf(argument) for argument in args]
        # The copies are no leaves themselves, so that code that works in place still runs.
        passed = [
            leaf.clone() if leaf is not None else a for leaf, a in zip(leaves, args, strict=True)
        ]
        named = dict(module.named_parameters()) if module is not None else {}
        with torch.enable_grad():
            value = self._call(function, tuple(passed), kwargs, detach=False)
            with self._wrapping_errors():
                found = _pull_back(_paired(value, upstream), [*leaves, *named.values()])
        return Gradients(
            value=self._plain(value),
            inputs=tuple(found[: len(leaves)]),
            parameters=dict(zip(named, found[len(leaves) :], strict=True)),
        )

    def linear(self, weight: Tensor, bias: Tensor | None = None) -> "LocalModule":
        """A linear layer with these parameters, to be passed to the student's code.

        Args:
            weight: (outputs, inputs).
            bias: (outputs,); a layer without one when it is None.
        """
        outputs, inputs = weight.shape
        layer = nn.Linear(inputs, outputs, device="meta")  # where no random numbers are drawn
        layer.weight = nn.Parameter(weight.detach().clone())
        own_bias = None if bias is None else nn.Parameter(bias.detach().clone())
        layer.register_parameter("bias", own_bias)
        return LocalModule(self, layer)

    def new_axes(self) -> Any:
        """An empty matplotlib Axes, to be passed to the student's code."""
        return new_axes()

    def drawn_in(self, axes: Any) -> Any:
        """What Axes of ours show by now, as a DrawnAxes."""
        return described(axes)

    def place(self, path: str, content: bytes | Mapping[str, bytes]) -> str:
        """Write a file or a folder where the student's code finds it.

        Args:
            path: what to call it.
            content: a file's bytes, or the files of a folder by name.
        Returns:
            the path as the student's code is to be given it.
        Raises:
            ValueError: the path leads out of the student's folder.
        """
        for name, data in files_at(path, content).items():
            if PurePath(name).is_absolute() or ".." in PurePath(name).parts:
                raise ValueError(f"{name!r} leads out of the working directory")
            file = self._folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        return str(self._folder / path)

    def seed(self, number: int) -> None:
        """Seed torch's random numbers."""
        torch.manual_seed(number)

    def autocast(self, device_type: str, dtype: torch.dtype) -> AbstractContextManager[Any]:
        """Calls inside this context run under autocast."""
        return torch.autocast(device_type, dtype=dtype)

    def peak_bytes(self) -> int:
        """The most memory this process has held so far, in bytes; never falls."""
        if sys.platform == "win32":
            raise OSError("peak memory cannot be read on Windows")
        import resource

        unit = 1 if sys.platform == "darwin" else 1024  # macOS counts bytes, Linux kibibytes
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit

    def _function(self, name: str) -> Callable[..., Any]:
        found = self.value(name)
        if not callable(found):
            kind = type(found).__name__
            raise StudentError("TypeError", f"{name} is of type {kind}, not a function or class")
        return found

    def _call(
        self,
        function: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        detach: bool = True,
    ) -> Any:
        # Copies: code that works in place must not spoil the caller's own for every later call.
        copies = [_copied(_unwrapped(argument)) for argument in args]
        named = {name: _copied(_unwrapped(argument)) for name, argument in kwargs.items()}
        with self._wrapping_errors(), closing_figures():
            result = function(*copies, **named)
            given = self._plain(result) if detach else result
        before: dict[int | str, Any] = dict(enumerate(args))
        before.update(kwargs)
        after: dict[int | str, Any] = dict(enumerate(copies))
        after.update(named)
        self.changed_inputs = tuple(
            place for place, value in before.items() if _differs(after[place], value)
        )
        return given

    def _plain(self, value: Any) -> Any:
        """The value as it would arrive from another process: no graph, modules by handles."""
        if isinstance(value, Tensor):
            return value.detach()
        if isinstance(value, nn.Module):
            return LocalModule(self, value)
        if type(value) in (tuple, list):
            return type(value)(self._plain(item) for item in value)
        if isinstance(value, dict):
            return {key: self._plain(item) for key, item in value.items()}
        drawing = described(value)
        return value if drawing is None else drawing

    @contextmanager
    def _wrapping_errors(self) -> Iterator[None]:
        try:
            yield
        except (Exception, SystemExit) as error:  # exit() must not end the notebook's run
            self._raise_wrapped(error)

    def _raise_wrapped(self, error: BaseException) -> NoReturn:
        line, inside, trace = None, None, error.__traceback__
        while trace is not None:  # the innermost frame that is the student's own
            if trace.tb_frame.f_globals is self._namespace:
                line, inside = trace.tb_lineno, _outermost_name(trace.tb_frame.f_code)
            trace = trace.tb_next
        name = type(error).__name__
        raise StudentError(name, str(error), line, builtin_name(error), inside) from error


class LocalModule:
    """A module of the student's: callable, and any method of it by name."""

    def __init__(self, student: LocalStudent, module: nn.Module) -> None:
        self._student = student
        self.module = module

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the module's forward pass."""
        return self._student._call(self.module, args, kwargs)

    def attribute(self, name: str) -> Any:
        """What the module keeps under a name of its own, such as a size."""
        return self._student._call(self.module.__getattribute__, (name,), {})

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)

        def method(*args: Any, **kwargs: Any) -> Any:
            with self._student._wrapping_errors():
                bound = getattr(self.module, name)
            result = self._student._call(bound, args, kwargs)
            # train(), double() and their like return the module, so that calls can be chained.
            same = isinstance(result, LocalModule) and result.module is self.module
            return self if same else result

        return method


def files_at(path: str, content: bytes | Mapping[str, bytes]) -> dict[str, bytes]:
    """The files that a file or a folder of this content is made of, by path."""
    if isinstance(content, bytes):
        return {path: content}
    return {f"{path}/{name}": data for name, data in content.items()}


def _outermost_name(code: CodeType) -> str | None:
    """The function or class of a cell that holds this code; None where it has no name."""
    name = code.co_qualname.partition(".")[0]  # "Layer.forward", "f.<locals>.g"
    return name if name.isidentifier() else None


def _unwrapped(value: Any) -> Any:
    """The argument with the module itself for every LocalModule in it."""
    if isinstance(value, LocalModule):
        return value.module
    if type(value) in (tuple, list):
        return type(value)(map(_unwrapped, value))
    if type(value) is dict:
        return {key: _unwrapped(item) for key, item in value.items()}
    return value


def _leaf(value: Any) -> Tensor | None:
    if isinstance(value, Tensor) and value.is_floating_point():
        return value.detach().clone().requires_grad_()
    return None


def _paired(
    value: Any, upstream: Tensor | tuple[Tensor | None, ...]
) -> list[tuple[Tensor, Tensor]]:
    """The outputs that pass a gradient on, each with its cotangent."""
    items = value if isinstance(value, (tuple, list)) else (value,)
    outputs = [one for one in items if isinstance(one, Tensor) and one.is_floating_point()]
    if isinstance(upstream, Tensor):
        outputs, upstream = outputs[:1], (upstream,) * len(outputs[:1])
    if len(outputs) != len(upstream):
        raise ValueError(f"{len(outputs)} floating-point tensors returned, not {len(upstream)}")
    pairs = zip(outputs, upstream, strict=True)
    return [(one, up.to(one)) for one, up in pairs if up is not None and one.requires_grad]


def _pull_back(
    pairs: list[tuple[Tensor, Tensor]], sources: list[Tensor | None]
) -> list[Tensor | None]:
    """Gradients of Σ sum(output * cotangent) for each source; None where none reaches it."""
    wanted = [source for source in sources if source is not None and source.requires_grad]
    if not pairs or not wanted:
        return [None] * len(sources)
    outputs, cotangents = zip(*pairs, strict=True)
    found = iter(torch.autograd.grad(outputs, wanted, cotangents, allow_unused=True))
    return [next(found) if s is not None and s.requires_grad else None for s in sources]


def _copied(value: Any) -> Any:
    """The value with a copy of every tensor and array in it; a tensor's keeps its graph."""
    if isinstance(value, Tensor):
        return value.clone()
    if isinstance(value, np.ndarray):
        return value.copy(order="K")
    if type(value) in (tuple, list):
        return type(value)(_copied(item) for item in value)
    if type(value) is dict:
        return {key: _copied(item) for key, item in value.items()}
    return value


def _differs(value: Any, snapshot: Any) -> bool:
    """Whether the content of an argument is no longer what it was before the call."""
    if isinstance(value, Tensor):
        return not _same_tensor(value.detach(), snapshot.detach())
    if isinstance(value, np.ndarray):
        same_form = value.shape == snapshot.shape and value.dtype == snapshot.dtype
        return not (same_form and value.tobytes() == snapshot.tobytes())
    if isinstance(value, (tuple, list)):
        return len(value) != len(snapshot) or any(map(_differs, value, snapshot))
    if isinstance(value, dict):
        return value.keys() != snapshot.keys() or any(
            _differs(item, snapshot[key]) for key, item in value.items()
        )
    return False


def _same_tensor(one: Tensor, other: Tensor) -> bool:
    if one.shape != other.shape or one.dtype != other.dtype or one.device != other.device:
        return False
    if one.is_meta or torch.equal(one, other):  # a meta tensor has no content to compare
        return True
    both_nan = one.isnan() & other.isnan()
    return bool(((one == other) | both_nan).all())
