"""Finds stand-ins that give a later answer away, so that graders can keep the student's own.

A later answer that fails is judged again where the earlier ones are right, and may ask these
whatever it likes, forward and backward. So a part must not be the answer itself, nor what it
undoes, nor have it for a gradient. Three probes look for that: two references are called on the
same values, on numbers in order, and on sums of products. Where the reference calls the part, the
exercise is to build on it, and nothing is wrong.
"""

import ast
import inspect
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from contextlib import redirect_stdout, suppress
from dataclasses import dataclass
from functools import cache, partial
from io import StringIO
from itertools import permutations
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from autograder.checks.kit.local_student import LocalStudent
from autograder.checks.kit.values import values
from autograder.course import Assignment
from autograder.course.layout import grader_files
from autograder.course.own_code import import_file, served
from autograder.judging.answers import namespace_with, reference_source
from autograder.judging.library import library
from autograder.judging.parts import parts_of, right_answer
from autograder.judging.registry import probe_of

MOST_CALLS, MOST_COMPARED, MOST_ARGUMENTS = 12, 4, 4
MOST_SECONDS = 2.0  # of a processor, to ask one reference: some train a model
CLOSE = 0.01  # of the largest number: references compute in bfloat16, too


class Way(NamedTuple):
    """A simple way to call a part with an exercise's own arguments.

    Attributes:
        names: of the arguments, in the order in which the part gets them.
        turned: which of them has its last two axes swapped; None for none.
        result: which argument makes way for the numbers that gradients begin with; None for none.
    """

    names: tuple[str, ...]
    turned: str | None = None
    result: str | None = None


class Call(NamedTuple):
    """A call of a reference that tells something.

    Attributes:
        given: its arguments, by their names.
        gave: the numbers that came back, an array each.
        made: the arguments that a module was made with, before; empty for a function.
    """

    given: dict[str, Any]
    gave: list[np.ndarray]
    made: tuple[Any, ...] = ()


@dataclass(frozen=True)
class Oracle:
    """A part that gives an exercise away.

    Attributes:
        exercise: the exercise.
        part: the earlier exercise, which gets a stand-in where this one is judged.
        how: how it does.
    """

    exercise: str
    part: str
    how: str

    def __str__(self) -> str:
        return (
            f"{self.exercise}: {self.how}. Judged beside a right {self.part}, an answer could be "
            f'read off it: say keep_own("{self.exercise}", "{self.part}", because=...) in '
            "its hidden tests"
        )


def oracles(assignment: Assignment) -> list[Oracle]:
    """The parts of an assignment's exercises that give them away, and are not kept out."""
    for file in grader_files(served(), assignment.name):  # they declare what stays the student's
        import_file(file)
    code = [one.name for one in assignment.exercises if one.kind == "code"]
    found = []
    for place, exercise in enumerate(code):
        called = _names(reference_source(exercise))
        for part, kind in parts_of(exercise, code[:place]).items():
            if part not in called and kind != "picture":
                how = [said for said, sees in PROBES.items() if sees(exercise, part)]
                found += [Oracle(exercise, part, said.format(part=part)) for said in how[:1]]
    return found


def is_the_same(exercise: str, part: str) -> bool:
    """The probe of identity: whether a part that is called in a simple way is the answer."""
    right, other = right_answer(exercise), right_answer(part)
    asked = _calls(exercise)
    if inspect.isclass(right) and inspect.isclass(other):
        return _are_alike(right, other, asked)
    ways = _ways(asked, other)
    return any(_holds(way, asked, partial(_equals, other, way)) for way in ways if not way.result)


def is_undone(exercise: str, part: str) -> bool:
    """The probe of permutations: whether one puts back numbers that the other has moved."""
    right, other = right_answer(exercise), right_answer(part)
    return _undoes(right, other, _calls(part)) or _undoes(other, right, _calls(exercise))


def is_pulled_back(exercise: str, part: str) -> bool:
    """The probe of linearity: whether the answer is what gradients through a part are."""
    other, asked = right_answer(part), _calls(exercise)
    ways = _ways(asked, other)
    return any(_holds(way, asked, partial(_pulls, other, way)) for way in ways if way.result)


PROBES = {
    "called in a simple way, {part} gives the same": is_the_same,
    "one of it and {part} undoes what the other does": is_undone,
    "gradients through {part} are the same": is_pulled_back,
}


def _ways(asked: Sequence[Call], part: Callable[..., Any]) -> Iterator[Way]:
    """The simple ways to call a part with the arguments of calls."""
    taken = list(inspect.signature(part).parameters.values())
    needed = sum(one.default is one.empty for one in taken)
    seen = {name: value for call in asked for name, value in call.given.items()}
    arrays = {name for name, value in seen.items() if _holds_floats(value)}
    matrices = {name for name in arrays if len(seen[name].shape) > 1}
    names = list(seen)[:MOST_ARGUMENTS]
    for count in range(max(needed, 1), min(len(taken), len(names)) + 1):
        for chosen in permutations(names, count):
            for turned in (None, *(one for one in chosen if one in matrices)):
                yield Way(chosen, turned)
                for result in (one for one in chosen if one in arrays and one != turned):
                    yield Way(chosen, turned, result)


def _holds(way: Way, asked: Sequence[Call], fits: Callable[[Call], bool]) -> bool:
    """Whether a way fits every call that has its arguments, and there are some."""
    fitting = [call for call in asked if set(way.names) <= set(call.given)][:MOST_COMPARED]
    return bool(fitting) and all(map(fits, fitting))


def _equals(part: Callable[..., Any], way: Way, call: Call) -> bool:
    """Whether the part gives what came back, as a whole, or one of several, turned or not."""
    found = _numbers(_asked(part, way, call))
    turned = [one.swapaxes(-1, -2) for one in found if one.ndim > 1]
    if len(call.gave) > 1:
        return len(found) == len(call.gave) and all(map(_close, found, call.gave))
    return any(_close(one, call.gave[0]) for one in (*found, *turned))


def _pulls(part: Callable[..., Any], way: Way, call: Call) -> bool:
    """Whether the answer is what the part's gradient computes: <right(w), u> is <w, part(u)>."""
    assert way.result is not None
    if len(call.gave) != 1 or not _holds_floats(call.given[way.result]):
        return False
    weights = _numbers(call.given[way.result])
    for seed in range(2):
        upstream = np.random.default_rng(seed).normal(size=call.gave[0].shape)
        given = call.given | {way.result: _like(call.given[way.result], upstream)}
        found = _numbers(_asked(part, way, call._replace(given=given)))
        if len(weights) != 1 or len(found) != 1 or found[0].shape != weights[0].shape:
            return False
        products = call.gave[0] * upstream, weights[0] * found[0]
        if abs(products[0].sum() - products[1].sum()) > CLOSE * abs(products[0]).sum():
            return False
    return True


def _undoes(back: Callable[..., Any], there: Callable[..., Any], asked: Sequence[Call]) -> bool:
    """Whether one reference puts back in place the numbers that the other has moved."""
    for call in asked:
        for name, value in call.given.items():
            if not _holds_floats(value):
                continue
            shape = tuple(value.shape)
            ordered = np.arange(np.prod(shape), dtype=float).reshape(shape)
            moved = _attempt(there, **call.given | {name: _like(value, ordered)})
            if not (numbers := _numbers(moved)) or _close(numbers[0], ordered):
                continue
            others = [one for other, one in call.given.items() if other != name]
            for count in range(len(others) + 1):
                for chosen in permutations(others, count):
                    again = _numbers(_attempt(back, moved, *chosen))
                    if len(again) == 1 and _close(again[0], ordered):
                        return True
    return False


def _are_alike(right: type, other: type, asked: Sequence[Call]) -> bool:
    """Whether two classes of modules, made alike and with the same weights, give the same."""

    def gives(call: Call) -> bool:
        with suppress(Exception):
            modules = right(*call.made), other(*call.made)
            modules[1].load_state_dict(modules[0].state_dict())
            found = [_numbers(_attempt(one, **call.given)) for one in modules]
            return bool(found[0]) and all(map(_close, *found))
        return False

    return bool(asked) and all(map(gives, asked))


@cache
def _calls(exercise: str) -> list[Call]:
    """What the exercise's probe asks of the reference, where that gives numbers."""
    observe = probe_of(exercise)
    if observe is None:
        return []
    with (
        tempfile.TemporaryDirectory() as folder,
        warnings.catch_warnings(action="ignore"),
        redirect_stdout(StringIO()),
    ):
        student = _Recorded(exercise, Path(folder))
        end = time.process_time() + MOST_SECONDS
        for look in observe(student).values():
            if len(student.calls) >= MOST_CALLS or time.process_time() > end:
                break
            with suppress(Exception):
                look()
    return student.calls


class _Recorded(LocalStudent):
    """A right student that keeps which calls gave numbers.

    Args:
        exercise: the exercise that is asked.
        folder: where files are placed.
    """

    asked = None

    def __init__(self, exercise: str, folder: Path) -> None:
        namespace = namespace_with(exercise, reference_source(exercise))
        super().__init__(namespace, folder)
        self.calls: list[Call] = []
        self.cells = {exercise: reference_source(exercise)}
        self._exercise = exercise
        self._made: list[tuple[Any, tuple[Any, ...]]] = []

    def _call(
        self,
        function: Callable[..., Any],
        args: tuple[Any, ...],
        kwargs: dict[str, Any],
        as_sent: bool = True,
    ) -> Any:
        found = super()._call(function, args, kwargs, as_sent)
        made = [given for module, given in self._made if module is function]
        if values().is_module(getattr(found, "module", None)):
            self._made.append((found.module, args))
        elif made or function is self._namespace[self._exercise]:
            gave = _numbers(found)
            if gave and all(np.isfinite(one).all() for one in gave) and np.ptp(gave[0]):
                called: Any = function
                bound = inspect.signature(called.forward if made else called)
                given = bound.bind(*args, **kwargs).arguments
                self.calls.append(Call(given, gave, *made[:1]))
        return found


def _asked(part: Callable[..., Any], way: Way, call: Call) -> Any:
    """What a part gives, called in a way with a call's arguments; None where it raises."""
    given = [call.given[name] for name in way.names]
    with suppress(Exception):
        given = [
            one.swapaxes(-1, -2) if name == way.turned else one
            for name, one in zip(way.names, given, strict=True)
        ]
        return _attempt(part, *given)
    return None


def _attempt(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """What a call gives; None where it raises."""
    with suppress(Exception), library().without_gradients():
        return function(*args, **kwargs)
    return None


def _numbers(value: Any) -> list[np.ndarray]:
    """The arrays that a value is, or that a tuple holds, as numbers."""
    found = []
    for one in value if isinstance(value, tuple | list) else [value]:
        numbers = values().numbers_of(one) if values().is_array(one) else None
        if numbers is not None and numbers.size:
            found.append(numbers.astype(np.float64))
    return found


def _holds_floats(value: Any) -> bool:
    return values().is_array(value) and values().holds_floats(value)


def _like(value: Any, numbers: np.ndarray) -> Any:
    """These numbers as an array of the kind of another."""
    if isinstance(value, np.ndarray):
        return numbers.astype(value.dtype)
    return library().drawn(numbers, value.dtype, "cpu")


def _close(one: np.ndarray, other: np.ndarray) -> bool:
    if one.shape != other.shape:
        return False
    return bool(np.abs(one - other).max() <= CLOSE * max(np.abs(other).max(), 1e-30))


def _names(source: str) -> set[str]:
    """The names that stand in Python code."""
    return {node.id for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Name)}
