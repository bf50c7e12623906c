"""The `student` fixture over a sandboxed process: calls go there, data comes back."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol, Self

from autograder.checks.kit.drawn import DrawnFigure
from autograder.checks.kit.errors import Gradients, StudentDied
from autograder.checks.kit.local_student import files_at
from autograder.checks.kit.values import Array
from autograder.sandbox.worker import Method, ModuleHandle, Worker
from autograder.student.asked import Asked
from autograder.student.stops import Stops


class Call(NamedTuple):
    """What the student's process was asked to run.

    Attributes:
        target: a name of the student's, or a module of it and the method's name.
        args: the arguments, as the caller gave them.
        kwargs: the keyword arguments.
    """

    target: str | Method
    args: Sequence[Any]
    kwargs: Mapping[str, Any]


class Reception(Protocol):
    """Looks at what comes back before anybody computes with it."""

    def value(self, call: Call, value: Any) -> Any:
        """What the caller is given for the value of a call."""

    def gradients(self, call: Call, found: Gradients) -> Gradients:
        """What the caller is given for the gradients of a call."""


class RemoteStudent:
    """Calls what the student's notebook bound, as `student.row_sums(5)`.

    Args:
        worker: the process in which the notebook's cells ran.
        deaths: for an exercise whose own cell ended its process, how; using it raises that again.
        placing: puts files beside the notebook and gives the student of a process that has them.
        run_ours: runs a cell of ours in another process.

    Attributes:
        changed_inputs: which arguments the last call changed; positions and keyword names.
        changed_random: whose global random numbers it changed: "Python", "NumPy", "torch".
        reception: looks at every value first; None where whoever asks looks for themselves.
        asked: the last call, of a name or of a module; None before the first one, and for any other
            method of a module.
        cells: each exercise's own cell, by the exercise's name.
        stops: what stopped the notebook's cells.
    """

    def __init__(
        self,
        worker: Worker,
        deaths: Mapping[str, StudentDied] = MappingProxyType({}),
        placing: Callable[[Mapping[str, bytes]], Self] | None = None,
        run_ours: Callable[[str], "RemoteStudent"] | None = None,
    ) -> None:
        self._worker = worker
        self._deaths = deaths
        self._placing = placing
        self._run_ours = run_ours
        self._autocast: list[tuple[str, Any]] = []
        self.changed_inputs: tuple[int | str, ...] = ()
        self.changed_random: tuple[str, ...] = ()
        self.reception: Reception | None = None
        self.asked: Asked | None = None
        self.cells: Mapping[str, str] = MappingProxyType({})
        self.stops = Stops((), {}, {})

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *args, **kwargs: self._call(name, args, kwargs)

    def value(self, name: str) -> Any:
        """What a variable of the student holds, such as the answer `q1`."""
        self._check_alive(name)
        return self._modules(self._worker.value(name))

    def expect_values(self, names: Iterable[str]) -> None:
        """Tell which variables are asked for next, in this order, so that it takes one turn."""
        self._worker.expect_values(name for name in names if name not in self._deaths)

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
        place = self._place_of(target, args, kwargs)
        found = self._worker.grad(
            place, _handles(args), _handles(kwargs), upstream=upstream, autocast=self._autocast
        )
        given = Gradients(self._modules(found.value), found.inputs, found.parameters)
        call = Call(place, args, kwargs)
        return given if self.reception is None else self.reception.gradients(call, given)

    def traced(self, target: Any, *args: Any, **kwargs: Any) -> tuple[Any, dict[str, Any]]:
        """Call the target; also what its process says of the operations that ran.

        Args:
            target: a name of the student's, or a module that a call returned.
        Returns:
            the value, and the recording of `tensors.inside.recording`, which nobody has checked.
        """
        place = self._place_of(target, args, kwargs)
        value, recording = self._worker.traced(
            place, _handles(args), _handles(kwargs), self._autocast
        )
        return self._received(Call(place, args, kwargs), value), recording

    def run_fresh(self, way: str, target: Any, arguments: Sequence[Any]) -> tuple[Any, float]:
        """Run the target in a way of `tensors.inside.fresh`; also the seconds that it took."""
        place = self._place_of(target, arguments, {})
        found, seconds = self._worker.fresh(way, place, _handles(arguments))
        return self._modules(found), seconds

    def run_ours(self, source: str) -> "RemoteStudent":
        """A cell of ours in a process of its own, held and limited like the student's.

        It ends with the submission. The same cell is run once.
        """
        if self._run_ours is None:
            raise RuntimeError("this student's process has no room beside it")
        return self._run_ours(source)

    def linear(self, weight: Array, bias: Array | None = None) -> "RemoteModule":
        """A linear layer with these parameters, to be passed to the student's code.

        Args:
            weight: (outputs, inputs).
            bias: (outputs,); a layer without one when it is None.
        """
        return RemoteModule(self, self._worker.linear(weight, bias), has_bias=bias is not None)

    def new_axes(self) -> "RemoteAxes":
        """An empty matplotlib Axes, to be passed to the student's code."""
        return RemoteAxes(self._worker.new_axes())

    def figure_of(self, axes: "RemoteAxes") -> Any:
        """What the figure of our Axes shows: a DrawnFigure, unless the student's code meddled."""
        return self._worker.call(Method(axes.handle, "get_figure")).value

    def drawn_in(self, axes: "RemoteAxes") -> Any:
        """What Axes of ours show by now: a DrawnAxes, unless the student's code meddled."""
        figure = self.figure_of(axes)
        return figure.axes[0] if isinstance(figure, DrawnFigure) and figure.axes else None

    def place(self, path: str, content: bytes | Mapping[str, bytes]) -> str:
        """Put a file or a folder beside the notebook, where the student's code finds it.

        The cells run again in a fresh process, since nothing gets into one that runs. Place files
        first: modules of the old process are gone.

        Args:
            path: what to call it.
            content: a file's bytes, or the files of a folder by name.
        Returns:
            the path as the student's code is to be given it.
        Raises:
            ValueError: the path leads out of there.
        """
        if self._placing is None:
            raise RuntimeError("this student's process takes no files")
        fresh = self._placing(files_at(path, content))
        self._worker, self._deaths = fresh._worker, fresh._deaths
        return path

    def seed(self, number: int) -> None:
        """Seed the random numbers that the student's code draws from its library."""
        self._worker.seed(number)

    @contextmanager
    def autocast(self, device_type: str, dtype: Any) -> Iterator[None]:
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
        self._note(target, args, kwargs)
        answer = self._worker.call(target, _handles(args), _handles(kwargs), self._autocast)
        self.changed_inputs, self.changed_random = answer.changed, answer.drawn
        return self._received(Call(target, args, kwargs), answer.value)

    def _received(self, call: Call, value: Any) -> Any:
        given = self._modules(value)
        return given if self.reception is None else self.reception.value(call, given)

    def _place_of(self, target: Any, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        """Where a name or a module that is called stands; the call is noted."""
        place = Method(target.handle) if isinstance(target, RemoteModule) else target
        self._note(place, args, kwargs)
        return place

    def _note(self, target: str | Method, args: Sequence[Any], kwargs: Mapping[str, Any]) -> None:
        self._check_alive(target)
        again = partial(self._call, target)
        if not isinstance(target, Method):
            self.asked = Asked(target, args, kwargs, again)
        else:
            self.asked = Asked(None, args, kwargs, again) if target.name is None else None

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
        has_bias: of a layer of ours, whether it has one; None of all other modules.
    """

    def __init__(
        self, student: RemoteStudent, handle: ModuleHandle, has_bias: bool | None = None
    ) -> None:
        self._student = student
        self.handle = handle
        self.has_bias = has_bias

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the module's forward pass."""
        return self._student._call(Method(self.handle), args, kwargs)

    def attribute(self, name: str) -> Any:
        """What the module keeps under a name of its own, such as a size."""
        return self._student._call(Method(self.handle, "__getattribute__"), (name,), {})

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("_"):
            raise AttributeError(name)

        def method(*args: Any, **kwargs: Any) -> Any:
            result = self._student._call(Method(self.handle, name), args, kwargs)
            # train(), double() and their like return the module, so that calls can be chained.
            same = isinstance(result, RemoteModule) and result.handle == self.handle
            return self if same else result

        return method


@dataclass(frozen=True)
class RemoteAxes:
    """An Axes that we made where the student's code runs.

    Attributes:
        handle: which one of which process it is.
    """

    handle: ModuleHandle


def _handles(value: Any) -> Any:
    """The arguments with a handle for every RemoteModule and RemoteAxes in them."""
    if isinstance(value, RemoteModule | RemoteAxes):
        return value.handle
    if type(value) in (list, tuple):
        return type(value)(_handles(item) for item in value)
    if type(value) is dict:
        return {key: _handles(item) for key, item in value.items()}
    return value
