"""Names the misunderstanding behind a wrong answer: the known mistake that behaves the same.

Tests say that an answer is wrong; a probe says how it behaves. The same probe observes the
student's code, the reference and every known mistake. An entry that agrees with the student in
every observation names the mistake. When none does, nothing is named: a wrong name is worse than
none.
"""

import warnings
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import Any

import numpy as np
import torch
from torch import Tensor

from autograder.checks.errors import StudentDied, StudentError
from autograder.judging.answers import reference_source, source_of, student_with
from autograder.judging.devices import kind_of
from autograder.judging.registry import Observations, probe_of
from autograder.judging.tolerance import FLOORS, as_tensor, largest
from autograder.misconceptions import Mistake, mistakes
from autograder.sandbox import SandboxLost

Behaviour = dict[str, object]

# Two ways to write one mistake differ by rounding as two right answers do; twice their distance
# from the exact value.
LIKENESS = 2.0
MOST_VALUES = 1 << 17  # no probe asks for as many


def diagnose(exercise: str, student: Any, claimed: Iterable[str] = ()) -> list[Mistake]:
    """The known mistakes that a wrong answer shows; empty when none fits.

    Args:
        exercise: the exercise's name; nothing is named unless its grader has been imported.
        student: the student's code.
        claimed: slugs that failed tests named themselves; used for an answer that behaves like
            the reference, since a probe does not see what memory it takes.

    Raises:
        StudentDied: the student's process ended while it was observed.
    """
    if probe_of(exercise) is None:
        return []
    behaviour = observe(exercise, student)
    for known in _known(exercise):
        if known.behaves_like(behaviour):
            return [known.entry] if known.entry else _claimed(exercise, claimed)
    return []


def describe(symptoms: Sequence[str]) -> str:
    """What to tell a student whose mistake has no name.

    Args:
        symptoms: what the failed tests saw, in their order; no empty ones.
    """
    distinct = list(dict.fromkeys(symptoms))
    if not distinct:
        return "Something is wrong, but nothing more can be said about it."
    first = distinct[0]
    sentence = first[0].upper() + first[1:]
    return sentence if sentence.endswith((".", "?")) else f"{sentence}."


def observe(exercise: str, student: Any) -> Behaviour:
    """How an answer behaves under the exercise's probe; empty when it has none."""
    return {name: _seen(look) for name, look in _looks(exercise, student).items()}


def _claimed(exercise: str, slugs: Iterable[str]) -> list[Mistake]:
    wanted = set(slugs)
    return [entry for entry in mistakes(exercise) if entry.slug in wanted]


class _Known:
    """How the reference or a known mistake behaves.

    Observed when first compared, and no further than the first difference: most mistakes differ
    from an answer at once, and observing all of them to the end takes seconds.

    Args:
        exercise: the exercise's name.
        entry: the mistake; None is the reference.
    """

    def __init__(self, exercise: str, entry: Mistake | None) -> None:
        self.entry = entry
        source = source_of(entry) if entry else reference_source(exercise)
        self._looks = _looks(exercise, student_with(exercise, source))
        self._behaviour: Behaviour = {}

    def behaves_like(self, behaviour: Behaviour) -> bool:
        """Whether every observation is the same, but for rounding."""
        return all(_same(seen, self._see(name)) for name, seen in behaviour.items())

    def _see(self, name: str) -> object:
        if name not in self._behaviour:
            with warnings.catch_warnings():
                warnings.simplefilter(
                    "ignore"
                )  # mistakes overflow and deprecate: that is their job
                self._behaviour[name] = _seen(self._looks[name])
        return self._behaviour[name]


@cache
def _known(exercise: str) -> tuple[_Known, ...]:
    """The reference and the known mistakes, kept for the life of the process."""
    return (_Known(exercise, None), *(_Known(exercise, entry) for entry in mistakes(exercise)))


def _looks(exercise: str, student: Any) -> Observations:
    probe = probe_of(exercise)
    return probe(student) if probe else {}


def _seen(look: Callable[[], object]) -> object:
    try:
        return _remembered(look())
    except (StudentDied, SandboxLost):
        raise
    except StudentError as error:
        return f"raised {kind_of(error)}"
    except Exception as error:  # a probe cannot foresee everything that an answer may give back
        return f"could not be observed: {type(error).__name__}"


def _remembered(seen: object) -> object:
    """What was seen; of a value far larger than any right one, its form alone."""
    if isinstance(seen, Tensor) and seen.numel() > MOST_VALUES:
        return f"a tensor of {seen.numel()} values"
    if isinstance(seen, np.ndarray) and seen.size > MOST_VALUES:
        return f"an array of {seen.size} values"
    return seen


def _same(one: object, other: object) -> bool:
    if isinstance(one, Tensor | np.ndarray):
        return isinstance(other, type(one)) and _close(one, other)
    if isinstance(one, tuple | list):
        return type(one) is type(other) and len(one) == len(other) and all(map(_same, one, other))
    return type(one) is type(other) and one == other


def _close(one: Tensor | np.ndarray, other: Tensor | np.ndarray) -> bool:
    if one.shape != other.shape or one.dtype != other.dtype or one.device != other.device:
        return False
    if isinstance(other, Tensor) and other.is_meta:
        return True
    found, known = as_tensor(one), as_tensor(other)
    if not known.is_floating_point():
        return torch.equal(found, known)
    allowed = LIKENESS * FLOORS[known.dtype] * largest(known)
    found, known = found.double(), known.double()
    near = (found - known).abs() <= allowed
    return bool((near | (found == known) | (found.isnan() & known.isnan())).all())
