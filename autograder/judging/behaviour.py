"""How an answer behaves under its exercise's probe, and whether two answers behave the same."""

import math
import warnings
from collections.abc import Callable
from contextlib import redirect_stdout
from io import StringIO
from typing import Any

import numpy as np

from autograder.checks.kit.errors import StudentDied, StudentError
from autograder.checks.kit.values import Array, values
from autograder.judging.answers import student_with
from autograder.judging.library import library
from autograder.judging.looking import looking
from autograder.judging.registry import Observations, probe_of
from autograder.judging.tolerance import (
    floor_of,
    largest,
    largest_difference,
    number_of,
)
from autograder.sandbox import SandboxLost

Behaviour = dict[str, object]

# Two ways to write one mistake differ by rounding as two right answers do; twice their distance
# from the exact value.
LIKENESS = 2.0
RAISED = "raised {}"
MOST_VALUES = 1 << 14  # no probe asks for as many


def observe(exercise: str, student: Any) -> Behaviour:
    """How an answer behaves under the exercise's probe; empty when it has none.

    Raises:
        StudentDied: the student's process ended while it was observed.
    """
    with looking(student, few=MOST_VALUES, anywhere=True):
        return {name: _seen(look) for name, look in _looks(exercise, student).items()}


def is_random(exercise: str, student: Any) -> bool:
    """Whether the first floats that the exercise's probe asks for are others the second time.

    Raises:
        StudentDied: the student's process ended while it was observed.
    """
    with looking(student, few=MOST_VALUES, anywhere=True):
        for look in _looks(exercise, student).values():
            seen = _seen(look)
            if _holds_floats(seen):
                again = _seen(look)
                return not stops(again) and not same(seen, again)
    return False


class Observed:
    """How a trusted answer behaves: the reference, a known mistake, two of them together.

    Observed when first compared, and no further than the first difference: most mistakes differ
    from an answer at once, and observing all of them to the end takes seconds. What was seen is
    kept.

    Args:
        exercise: the exercise's name.
        source: the answer's cell.
    """

    def __init__(self, exercise: str, source: str) -> None:
        self._exercise = exercise
        self._source = source
        self._looks: Observations = {}
        self._behaviour: Behaviour = {}

    def glance(self) -> None:
        """See what the probe shows first."""
        self._prepare()
        self.see(next(iter(self._looks)))

    def see(self, name: str) -> object:
        """One observation, by its name in the probe."""
        if name not in self._behaviour:
            with warnings.catch_warnings(), redirect_stdout(StringIO()):  # some print their answer
                warnings.simplefilter("ignore")  # mistakes overflow and deprecate, as they should
                self._behaviour[name] = _seen(self._look(name))
        return self._behaviour[name]

    def behaves_like(self, behaviour: Behaviour) -> bool:
        """Whether every observation is the same, but for rounding."""
        return all(alike(name, seen, self.see(name)) for name, seen in behaviour.items())

    def release(self) -> None:
        """Let go of the answer's code and the probe's inputs; what was seen is still known."""
        self._looks = {}

    def _look(self, name: str) -> Callable[[], object]:
        self._prepare()
        return self._looks[name]

    def _prepare(self) -> None:
        if not self._looks:
            self._looks = _looks(self._exercise, student_with(self._exercise, self._source))


def alike(name: str, one: object, other: object) -> bool:
    """Whether two observations of this name are the same, but for rounding.

    Gradients are compared with the largest of them: one that is 0 by mathematics is rounding alone.
    """
    return same(one, other, _largest_in(other) if is_gradient(name) else 0.0)


def is_gradient(name: str) -> bool:
    """Whether an observation of this name is of gradients."""
    return name.startswith("gradient")


def same(one: object, other: object, scale: float = 0.0) -> bool:
    """Whether two values are the same, but for rounding.

    Args:
        one: what was seen.
        other: what it is compared with.
        scale: a magnitude to which rounding is relative where all of `other` is smaller.
    """
    if values().is_array(one):
        return isinstance(other, type(one)) and _close(one, other, scale)
    if isinstance(one, float | np.floating) and isinstance(other, float | np.floating):
        return _close_numbers(one, other)
    if isinstance(one, tuple | list):
        if not isinstance(other, type(one)) or len(one) != len(other):
            return False
        return all(same(*pair, scale) for pair in zip(one, other, strict=True))
    return type(one) is type(other) and one == other


def _largest_in(seen: object) -> float:
    """The largest magnitude in all arrays of an observation."""
    if isinstance(seen, tuple | list):
        return max(map(_largest_in, seen), default=0.0)
    if not values().is_array(seen) or values().device_text(seen) == "meta":
        return 0.0
    return largest(seen) if values().holds_floats(seen) else 0.0


def _holds_floats(seen: object) -> bool:
    if isinstance(seen, tuple | list):
        return any(map(_holds_floats, seen))
    return values().is_array(seen) and values().holds_floats(seen)


def stops(seen: object) -> bool:
    """Whether an observation is of an error."""
    return isinstance(seen, str) and seen.startswith(RAISED.format(""))


def _looks(exercise: str, student: Any) -> Observations:
    probe = probe_of(exercise)
    return probe(student) if probe else {}


def _seen(look: Callable[[], object]) -> object:
    try:
        return _remembered(look())
    except (StudentDied, SandboxLost):
        raise
    except StudentError as error:
        return RAISED.format(library().kind_of_error(error))
    except Exception as error:  # a probe cannot foresee everything that an answer may give back
        return f"could not be observed: {type(error).__name__}"


def _remembered(seen: object) -> object:
    """What was seen; of a value far larger than any right one, its form alone."""
    if values().is_array(seen) and (size := math.prod(seen.shape)) > MOST_VALUES:  # type: ignore[attr-defined]
        return f"{values().kind(seen)} of {size} values"
    if isinstance(seen, list) and seen and all(map(values().is_array, seen)):
        return tuple(seen)  # several results are as welcome in a list
    return tuple(map(_remembered, seen)) if type(seen) is tuple else seen


def _close_numbers(one: float | np.floating, other: float | np.floating) -> bool:
    """Whether two numbers are one but for rounding; whose type they have is a matter of style."""
    found, known = number_of(one), number_of(other)
    assert found is not None
    assert known is not None
    floor = max(floor_of(found), floor_of(known))
    return largest_difference(found, known) <= LIKENESS * floor * largest(known)


def _close(one: Array, other: Array, scale: float) -> bool:
    device = values().device_text(other)
    if one.shape != other.shape or one.dtype != other.dtype or values().device_text(one) != device:
        return False
    if device == "meta":
        return True
    if not values().holds_floats(other):
        return np.array_equal(values().as_numpy(one), values().as_numpy(other))
    allowed = LIKENESS * floor_of(other) * max(largest(other), scale)
    return largest_difference(one, other) <= allowed
