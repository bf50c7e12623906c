"""Answers of several values: each by itself, whatever holds them; the form is another claim."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from autograder.judging import Expected, Wrong, assert_matches


def value_at(found: object, place: int) -> Any:
    """One of the values that came back, in a tuple, a list or an array.

    Raises:
        Wrong: there is none at this place.
    """
    held: Sequence[Any] = ()
    if isinstance(found, tuple | list):
        held = found
    elif isinstance(found, np.ndarray) and found.ndim == 1:
        held = tuple(found)
    if place >= len(held):
        raise Wrong("Fewer values come back than were promised.")
    return held[place]


def assert_value_matches(found: object, wanted: Expected, place: int, what: str) -> None:
    """Check one of the values that came back; `what` is how to call it in a symptom."""
    assert isinstance(wanted.plain, tuple)
    assert isinstance(wanted.exact, tuple)
    right = Expected(wanted.plain[place], wanted.exact[place])
    assert_matches(value_at(found, place), right, what)


def assert_tuple_of(found: object, count: int) -> None:
    """Check that a tuple of so many values came back; a list will do."""
    if not isinstance(found, tuple | list):
        raise Wrong("Your values do not come back as a tuple.")
    if len(found) != count:
        raise Wrong("Another number of values comes back than was promised.")
