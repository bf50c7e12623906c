"""For which arguments code runs that stopped: the same call, tried with one thing otherwise.

"It raised ValueError" helps nobody whose code takes exactly three axes. So the call is made again,
in the student's process and with numbers that stand in no hidden test: first as it was, where it
should stop as it did, and then with other axes in front, in single precision, without an option,
and so on. The first of these that runs says what the code cannot do. Nothing else of the student's
process is told: neither what an error says, nor what comes back.
"""

import math
import typing
from collections.abc import Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from inspect import Parameter
from io import StringIO
from itertools import combinations
from typing import Any, NamedTuple

import numpy as np

from autograder.checks.kit.errors import StudentError
from autograder.checks.kit.values import Array, values
from autograder.judging.draw import Draw
from autograder.judging.given import AXES, called, is_plain, listed, unusual_dtype
from autograder.judging.library import library
from autograder.judging.parts import right_answer
from autograder.sandbox import SandboxLost
from autograder.student.asked import Asked

FRONTS = ((), (3,), (3, 2))
"""Axes in front of those that an argument has in any case."""

IN_FRONT = ("outer", "batch")
MOST_AXES = 4
MOST_NUMBERS = 1 << 14

Arguments = Mapping[str, Any]


class Trial(NamedTuple):
    """A call with one thing otherwise.

    Attributes:
        arguments: by name.
        runs: in which words it is said for what the code runs, should it.
        stops: for what it stops, in words.
    """

    arguments: Arguments
    runs: str
    stops: str


def where_it_runs(exercise: str, asked: Asked, error: str) -> str:
    """For what a student's code runs and for what it stops, in a sentence; empty if not known.

    Args:
        exercise: whose test called.
        asked: the call that stopped.
        error: the nearest of Python's own errors to the one that was raised.
    """
    try:
        made, parameters = called(exercise, asked)
        tried = _Tried(asked, parameters)
        if (not made and not tried.arrays) or tried.size > MOST_NUMBERS:
            return ""
        if tried.error_of(tried.given) != error:  # what is in the arguments matters
            return ""
        for trial in tried.trials():
            if tried.is_allowed(trial.arguments) and tried.error_of(trial.arguments) is None:
                return f"It runs {trial.runs}, and stops {trial.stops}."
    except SandboxLost:
        raise
    except Exception:  # also of a process that ends over a trial, no more is told than its error
        return ""
    return ""


class _Tried:
    """A call that stopped, with numbers of ours in its arguments.

    Args:
        asked: the call.
        parameters: of what was called.

    Attributes:
        given: its arguments by name.
        arrays: those that are arrays.
    """

    def __init__(self, asked: Asked, parameters: Mapping[str, Parameter]) -> None:
        self._asked = asked
        self._parameters = parameters
        self._places = [*parameters][: len(asked.args)]
        self._draw = Draw(b"public", "trying")
        arguments = dict(zip(self._places, asked.args, strict=True)) | dict(asked.kwargs)
        self.given: Arguments = {name: self._ours(one) for name, one in arguments.items()}
        self.arrays = {n: one for n, one in self.given.items() if values().is_array(one)}
        self._axes = {name: axes_of(parameters[name]) for name in self.arrays}

    @property
    def size(self) -> int:
        """How many numbers its arrays hold."""
        return sum(math.prod(one.shape) for one in self.arrays.values())

    def error_of(self, arguments: Arguments) -> str | None:
        """The error that the student's code raises for them; None where it runs."""
        args = [arguments[name] for name in self._places]
        kwargs = {name: one for name, one in arguments.items() if name not in self._places}
        try:
            with redirect_stdout(StringIO()):
                self._asked.again(args, kwargs)
        except StudentError as error:
            return error.builtin
        return None

    def is_allowed(self, arguments: Arguments) -> bool:
        """Whether the reference takes them; a module takes what its annotations say."""
        if self._asked.name is None:
            return True
        try:
            with library().without_gradients(), redirect_stdout(StringIO()):
                right_answer(self._asked.name)(**arguments)
        except Exception:
            return False
        return True

    def trials(self) -> Iterator[Trial]:
        """What is tried, in the order in which it is likely; views first, which all others undo."""
        yield from self._laid_out()
        yield from self._options()
        yield from self._in_front()
        yield from self._of_another_depth()
        yield from self._in_single_precision()
        yield from self._left_out()
        yield from self._of_one_length()
        yield from self._on_the_cpu()

    def _in_front(self) -> Iterator[Trial]:
        """Other axes in front of those that arguments have in any case."""
        own = {name: axes for name, axes in self._axes.items() if axes[:1] == ("...",)}
        named = [name for name, axes in own.items() if axes[1:]]
        if not named:
            return
        first = self.arrays[named[0]]
        core = own[named[0]][1:]
        had = tuple(first.shape[: -len(core)])
        for front in FRONTS:
            if len(front) == len(had):
                continue
            changed = {}
            for name, axes in own.items():
                shape, deep = self.arrays[name].shape, len(axes[1:]) or 2
                if tuple(shape[:-deep]) == had or (not axes[1:] and len(shape) > deep):
                    changed[name] = self._like(self.arrays[name], (*front, *shape[-deep:]))
            yield Trial(
                {**self.given, **changed},
                f"where `{named[0]}` is {_shape(len(front), core)}",
                f"where it is {_shape(len(had), core)}",
            )

    def _of_another_depth(self) -> Iterator[Trial]:
        """Another number of axes, for arrays whose axes have no names."""
        for name, one in self.arrays.items():
            if self._axes[name] not in ((), ("...",)) or not one.shape:
                continue
            is_alone = len(self.arrays) == 1
            for axes in range(1, MOST_AXES + 1):
                kept = one.shape[-axes:] if is_alone else one.shape[-min(axes, 2) :]
                front = (3, 2, 4)[: axes - len(kept)] if is_alone else (1,) * (axes - len(kept))
                if axes != len(one.shape):
                    yield Trial(
                        {**self.given, name: self._like(one, (*front, *kept))},
                        f"where `{name}` has {AXES[axes]}",
                        f"where it has {AXES[len(one.shape)]}",
                    )

    def _in_single_precision(self) -> Iterator[Trial]:
        """The usual dtype in place of others."""
        odd = {name: one for name, one in self.arrays.items() if unusual_dtype(one)}
        if odd:
            changed = {name: self._like(one, one.shape, usual=True) for name, one in odd.items()}
            names, dtypes = _names(odd), listed([*dict.fromkeys(map(unusual_dtype, odd.values()))])
            hold = "holds" if len(odd) == 1 else "hold"
            usual = "float64" if isinstance(next(iter(odd.values())), np.ndarray) else "float32"
            yield Trial(
                {**self.given, **changed},
                f"where {names} {hold} {usual} values",
                f"with {dtypes} ones",
            )

    def _options(self) -> Iterator[Trial]:
        """Without one of the options that are given, or with the usual dtype."""
        usual = [library().drawn(np.ones(()), None, "cpu").dtype] if self._has_dtypes() else []
        for name, one in self.given.items():
            default = self._parameters[name].default
            if usual and type(one) is type(usual[0]) and one != usual[0]:
                yield Trial(
                    {**self.given, name: usual[0]},
                    f"where `{name}` is {usual[0]}",
                    f"where it is {one}",
                )
                continue
            if default is Parameter.empty or one is default:
                continue
            less = {each: value for each, value in self.given.items() if each != name}
            if name in self._places:
                less[name] = default
            told = str(one) if isinstance(one, bool | str) or is_plain(one) else "given"
            yield Trial(less, f"where `{name}` is left out", f"where it is {told}")

    def _has_dtypes(self) -> bool:
        return any(map(is_plain, self.given.values()))

    def _left_out(self) -> Iterator[Trial]:
        """With an array that may be left out, and is."""
        for name, parameter in self._parameters.items():
            axes = axes_of(parameter)
            if parameter.default is None and self.given.get(name) is None and axes and self.arrays:
                for deep in range(2, MOST_AXES + 1):
                    one = self._like(next(iter(self.arrays.values())), (1,) * deep)
                    given = one == one if _holds_bools(parameter) else one
                    yield Trial(
                        {**self.given, name: given},
                        f"where `{name}` is given",
                        "where there is none",
                    )

    def _of_one_length(self) -> Iterator[Trial]:
        """Two axes of one length, whose lengths differ."""
        if self._asked.name is None:  # how long a module's axes may be was settled when it was made
            return
        lengths: dict[str, int] = {}
        for name, one in self.arrays.items():
            named = [axis for axis in self._axes[name] if axis != "..."]
            lengths |= dict(zip(named[::-1], one.shape[::-1], strict=False))
        for kept, other in combinations(lengths, 2):
            before, now = lengths[other], lengths[kept]
            if before == now or before == 1:
                continue
            changed = {
                name: self._like(one, [now if size == before else size for size in one.shape])
                for name, one in self.arrays.items()
                if before in one.shape
            }
            yield Trial(
                {**self.given, **changed},
                f"where the axes {kept} and {other} are of the same length",
                "where they are not",
            )

    def _on_the_cpu(self) -> Iterator[Trial]:
        """On the CPU in place of another device."""
        away = {n: one for n, one in self.arrays.items() if values().device_text(one) == "meta"}
        if away:
            changed = {name: self._like(one, one.shape, near=True) for name, one in away.items()}
            stops = "on another device (here `meta`, which stands for any)"
            yield Trial({**self.given, **changed}, "on the CPU", stops)

    def _laid_out(self) -> Iterator[Trial]:
        """In memory in the order of the axes, in place of views; from then on it stays so."""
        views = {
            name: one for name, one in self.arrays.items() if library().order_of(one) is not None
        }
        if views:
            changed = {name: self._like(one, one.shape) for name, one in views.items()}
            are = "is a view" if len(views) == 1 else "are views"
            yield Trial(
                {**self.given, **changed},
                f"where {_names(views)} {'lies' if len(views) == 1 else 'lie'} in memory as the "
                "axes say",
                f"where {_names(views)} {are}, such as a transpose",
            )
            self.given = {**self.given, **changed}
            self.arrays = {**self.arrays, **changed}

    def _ours(self, value: Any) -> Any:
        """A value of the same form with numbers of ours."""
        if values().is_array(value):
            order = library().order_of(value)
            if order is None:
                return self._like(value, value.shape)
            laid = self._like(value, [value.shape[axis] for axis in order])
            return library().with_axes(laid, [order.index(axis) for axis in range(len(order))])
        if type(value) in (tuple, list):
            return type(value)(map(self._ours, value))
        return value

    def _like(
        self, array: Array, shape: Sequence[int], usual: bool = False, near: bool = False
    ) -> Array:
        """An array like another: drawn numbers, all True, or ones.

        Args:
            array: the other.
            shape: of the new one.
            usual: whether it gets the usual dtype.
            near: whether it is on the CPU.
        """
        numbers = np.ones(shape)
        if values().holds_floats(array):
            numbers = self._draw.array(*shape)
        if isinstance(array, np.ndarray):
            return numbers.astype(numbers.dtype if usual else array.dtype)
        device = "cpu" if near else values().device_text(array)
        return library().drawn(numbers, None if usual else array.dtype, device)


def axes_of(parameter: Parameter) -> tuple[str, ...]:
    """The names of an argument's axes, `...` for any; empty where its annotation tells none."""
    for one in (parameter.annotation, *typing.get_args(parameter.annotation)):
        names = getattr(one, "dim_str", None)
        if isinstance(names, str):
            return tuple(name.lstrip("#*") for name in names.split())
    return ()


def _holds_bools(parameter: Parameter) -> bool:
    for one in (parameter.annotation, *typing.get_args(parameter.annotation)):
        if "bool" in (getattr(one, "dtypes", None) or ()):
            return True
    return False


def _shape(front: int, core: Sequence[str]) -> str:
    """An argument's shape by the names of its axes."""
    names = [name for name in IN_FRONT if name not in core]
    before = names[len(names) - front :] if front <= len(names) else ["...", *names]
    return f"({', '.join((*before, *core))}{',' if front + len(core) == 1 else ''})"


def _names(names: Mapping[str, Any]) -> str:
    return listed([f"`{name}`" for name in names])
