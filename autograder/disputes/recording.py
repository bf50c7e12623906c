"""What a hidden test asks of a student's code, and what comes back, kept in order."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from autograder.checks.kit.errors import Gradients, StudentDied, StudentError
from autograder.checks.kit.values import values
from autograder.sandbox.worker import Method
from autograder.student import RemoteModule, RemoteStudent
from autograder.student.remote import Call, RemoteAxes


@dataclass
class Recorded:
    """One thing that was asked.

    Attributes:
        way: `call`, `grad`, `traced`, `fresh`, `value`, `seed`, `place`, `linear` or `axes`.
        target: a name of the student's, or a method of a module or an Axes.
        args: the arguments, copied before anybody could change them.
        kwargs: the keyword arguments.
        upstream: of `grad`, what is pulled back.
        autocast: device and dtype under which it ran, one for each context.
        gave: what came back, before anybody looked at it; for `grad` a Gradients.
        raised: the error that came back in its place, or how the process ended.
        changed: which arguments it changed; positions and keyword names.
    """

    way: str
    target: str | Method
    args: Sequence[Any] = ()
    kwargs: Mapping[str, Any] = field(default_factory=dict)
    upstream: Any = None
    autocast: Sequence[tuple[str, Any]] = ()
    gave: Any = None
    raised: StudentError | StudentDied | None = None
    changed: tuple[int | str, ...] = ()

    @property
    def name(self) -> str:
        """What was called: a name of the student's, or a method; empty for a module's own call."""
        return self.target if isinstance(self.target, str) else self.target.name or ""


_LISTS: list[list[Recorded]] = []  # one for each `recording()` that is open


@contextmanager
def recording() -> Iterator[list[Recorded]]:
    """A list that everything joins which a RecordedStudent is asked inside."""
    made: list[Recorded] = []
    _LISTS.append(made)
    try:
        yield made
    finally:
        _LISTS.pop()


class RecordedStudent(RemoteStudent):
    """A student whose answers are kept wherever `recording()` is open."""

    _now: Recorded | None = None

    def grad(self, target: Any, *args: Any, upstream: Any, **kwargs: Any) -> Gradients:
        """As a RemoteStudent does it."""
        asked = self._asked("grad", _place_of(target), args, kwargs)
        asked.upstream = copied(upstream)
        with _failing(asked):
            asked.gave = super().grad(target, *args, upstream=upstream, **kwargs)
        return asked.gave

    def traced(self, target: Any, *args: Any, **kwargs: Any) -> tuple[Any, dict[str, Any]]:
        """As a RemoteStudent does it."""
        asked = self._now = self._asked("traced", _place_of(target), args, kwargs)
        with _failing(asked):
            return super().traced(target, *args, **kwargs)

    def run_fresh(self, way: str, target: Any, arguments: Sequence[Any]) -> tuple[Any, float]:
        """As a RemoteStudent does it."""
        asked = self._asked("fresh", _place_of(target), arguments, {})
        with _failing(asked):
            found = super().run_fresh(way, target, arguments)
        asked.gave = found[0]
        return found

    def value(self, name: str) -> Any:
        """As a RemoteStudent does it."""
        asked = self._asked("value", name, (), {})
        with _failing(asked):
            asked.gave = super().value(name)
        return asked.gave

    def linear(self, weight: Any, bias: Any = None) -> RemoteModule:
        """As a RemoteStudent does it."""
        asked = self._asked("linear", "linear", (weight, bias), {})
        asked.gave = super().linear(weight, bias)
        return asked.gave

    def new_axes(self) -> RemoteAxes:
        """As a RemoteStudent does it."""
        asked = self._asked("axes", "new_axes", (), {})
        asked.gave = super().new_axes()
        return asked.gave

    def place(self, path: str, content: bytes | Mapping[str, bytes]) -> str:
        """As a RemoteStudent does it."""
        self._asked("place", path, (content,), {})
        return super().place(path, content)

    def seed(self, number: int) -> None:
        """As a RemoteStudent does it."""
        self._asked("seed", "seed", (number,), {})
        super().seed(number)

    def _call(self, target: str | Method, args: Sequence[Any], kwargs: Mapping[str, Any]) -> Any:
        asked = self._now = self._asked("call", target, args, kwargs)
        with _failing(asked):
            found = super()._call(target, args, kwargs)
        asked.changed = self.changed_inputs
        return found

    def _received(self, call: Call, value: Any) -> Any:
        if self._now is not None:
            self._now.gave = self._modules(value)
        return super()._received(call, value)

    def _asked(
        self, way: str, target: str | Method, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> Recorded:
        autocast = tuple(self._autocast)
        made = Recorded(way, target, copied(tuple(args)), copied(dict(kwargs)), autocast=autocast)
        for one in _LISTS:
            one.append(made)
        return made


def copied(value: Any) -> Any:
    """The value with a copy of every tensor and array in it."""
    if values().is_array(value):
        return values().copied(values().as_sent(value))
    if type(value) in (tuple, list):
        return type(value)(copied(item) for item in value)
    if type(value) is dict:
        return {key: copied(item) for key, item in value.items()}
    return value


@contextmanager
def _failing(asked: Recorded) -> Iterator[None]:
    try:
        yield
    except (StudentError, StudentDied) as raised:
        asked.raised = raised
        raise


def _place_of(target: Any) -> str | Method:
    return Method(target.handle) if isinstance(target, RemoteModule) else target
