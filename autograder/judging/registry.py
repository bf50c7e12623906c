"""What a hidden grader declares: a test's exercise, and how to observe an answer."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest

Observations = Mapping[str, Callable[[], object]]
Probe = Callable[[Any], Observations]

_probes: dict[str, Probe] = {}


def exercise(name: str) -> pytest.MarkDecorator:
    """Mark a hidden test as one of the exercise's."""
    return pytest.mark.exercise(name)


def probe(name: str) -> Callable[[Probe], Probe]:
    """Declare how to observe an answer to the exercise.

    The decorated function takes a student and returns named observations, each a function of no
    arguments that calls the student's code on fixed inputs. They are made one by one, so that an
    error in one hides no other; each gives the same whether or not others were made before it.
    Where answers are compared, earlier ones are made first: let those be quick.
    """

    def register(observe: Probe) -> Probe:
        _probes[name] = observe
        return observe

    return register


def probe_of(name: str) -> Probe | None:
    """The exercise's probe; None when its grader has none or is not imported yet."""
    return _probes.get(name)
