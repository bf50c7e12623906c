"""The `student` fixture over a namespace: runs the student's code in this very process."""

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path, PurePath
from types import CodeType
from typing import Any, NoReturn

from .changes import drawn_from, same_content
from .drawn import closing_figures, described, new_axes
from .errors import Gradients, MissingName, StudentError, builtin_name
from .values import Array, values


class LocalStudent:
    """Calls what a namespace holds, as `student.row_sums(5)`.

    Args:
        namespace: the notebook's.
        folder: where files are placed.

    Attributes:
        changed_inputs: which arguments the last call changed; positions and keyword names.
        changed_random: whose global random numbers the last call changed; see `drawn_from`.
    """

    def __init__(self, namespace: dict[str, Any], folder: Path = Path()) -> None:
        self._namespace = namespace
        self._folder = folder
        self.changed_inputs: tuple[int | str, ...] = ()
        self.changed_random: tuple[str, ...] = ()

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
        upstream: Array | tuple[Array | None, ...],
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

        def called(*passed: Any) -> Any:
            return self._call(function, passed, kwargs, as_sent=False)

        with self._wrapping_errors():
            value, inputs, parameters = values().gradients(called, args, upstream, module)
        return Gradients(self._plain(value), inputs, parameters)

    def linear(self, weight: Array, bias: Array | None = None) -> "LocalModule":
        """A linear layer with these parameters, to be passed to the student's code.

        Args:
            weight: (outputs, inputs).
            bias: (outputs,); a layer without one when it is None.
        """
        return LocalModule(self, values().linear(weight, bias), has_bias=bias is not None)

    def new_axes(self) -> Any:
        """An empty matplotlib Axes, to be passed to the student's code."""
        return new_axes()

    def figure_of(self, axes: Any) -> Any:
        """What the figure of our Axes shows by now, as a DrawnFigure."""
        return described(axes.figure)

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
        """Seed the random numbers that the student's code draws from its library."""
        values().seed(number)

    def autocast(self, device_type: str, dtype: Any) -> AbstractContextManager[Any]:
        """Calls inside this context run under autocast."""
        return values().autocast(device_type, dtype)

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
        as_sent: bool = True,
    ) -> Any:
        # Copies: code that works in place must not spoil the caller's own for every later call.
        given = [_unwrapped(argument) for argument in args]
        before: dict[int | str, Any] = dict(enumerate(given))
        before |= {name: _unwrapped(argument) for name, argument in kwargs.items()}
        after = {place: _copied(argument) for place, argument in before.items()}
        copies = [after[place] for place in range(len(args))]
        named = {name: after[name] for name in kwargs}
        states = values().random_states()
        with self._wrapping_errors(), closing_figures():
            result = function(*copies, **named)
            result = self._plain(result) if as_sent else result
        self.changed_random = tuple(drawn_from(states))
        self.changed_inputs = tuple(
            place for place, value in before.items() if not same_content(after[place], value)
        )
        return result

    def _plain(self, value: Any) -> Any:
        """The value as it would arrive from another process: no graph, modules by handles."""
        if values().is_module(value):
            return LocalModule(self, value)
        if type(value) in (tuple, list) or hasattr(value, "_fields"):  # a NamedTuple becomes plain
            parts = [self._plain(item) for item in value]
            return parts if isinstance(value, list) else tuple(parts)
        if isinstance(value, dict):
            return {key: self._plain(item) for key, item in value.items()}
        drawing = described(value)
        return values().as_sent(value) if drawing is None else drawing

    @contextmanager
    def _wrapping_errors(self) -> Iterator[None]:
        try:
            yield
        except StudentError:
            raise
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
    """A module of the student's: callable, and any method of it by name.

    Attributes:
        module: the module itself.
        has_bias: of a layer of ours, whether it has one; None of all other modules.
    """

    def __init__(self, student: LocalStudent, module: Any, has_bias: bool | None = None) -> None:
        self._student = student
        self.module = module
        self.has_bias = has_bias

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


def _copied(value: Any) -> Any:
    """The value with a copy of every tensor and array in it; a tensor's keeps its graph."""
    if values().is_array(value):
        return values().copied(value)
    if type(value) in (tuple, list):
        return type(value)(_copied(item) for item in value)
    if type(value) is dict:
        return {key: _copied(item) for key, item in value.items()}
    return value
