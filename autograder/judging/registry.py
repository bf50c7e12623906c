"""What a hidden grader declares: a test's exercise, and how to observe an answer."""

from collections.abc import Callable, Collection, Mapping
from typing import Any, Literal, cast, get_args

import pytest

Observations = Mapping[str, Callable[[], object]]
Probe = Callable[[Any], Observations]

Aspect = Literal["values", "numerics", "dtype", "device", "changes", "form", "refusal"]
"""What an observation asks for. Values tell the idea behind an answer; slips show in the others."""

# Of an observation's name up to a comma: "meta", "meta, empty".
USUAL_NAMES: Mapping[str, Aspect] = {
    **dict.fromkeys(("far", "large", "wild", "leaks"), "numerics"),
    **dict.fromkeys(("float16", "bfloat16", "float64", "double", "autocast"), "dtype"),
    **dict.fromkeys(("meta", "device"), "device"),
    **dict.fromkeys(("changed", "untouched", "state kept"), "changes"),
    **dict.fromkeys(("kind", "form", "forms"), "form"),
    "refusal": "refusal",
}

_probes: dict[str, Probe] = {}
_aspects: dict[str, dict[str, Aspect]] = {}


def exercise(name: str) -> pytest.MarkDecorator:
    """Mark a hidden test as one of the exercise's."""
    return pytest.mark.exercise(name)


def probe(name: str, **aspects: Collection[str]) -> Callable[[Probe], Probe]:
    """Declare how to observe an answer to the exercise.

    The decorated function takes a student and returns named observations, each a function of no
    arguments that calls the student's code on fixed inputs. They are made one by one, so that an
    error in one hides no other; each gives the same whether or not others were made before it.
    Where answers are compared, earlier ones are made first: let those be quick.

    Args:
        name: the exercise's name.
        aspects: names of observations by the Aspect that they ask for. All others ask for that of
            `USUAL_NAMES`, or for values: `probe("predict", refusal=["too few", "none"])`.
    Raises:
        TypeError: there is no such aspect.
    """

    if unknown := sorted(set(aspects) - set(get_args(Aspect))):
        raise TypeError(f"{unknown[0]!r} is no aspect of an observation; those are {Aspect}")

    def register(observe: Probe) -> Probe:
        _probes[name] = observe
        _aspects[name] = {
            one: cast(Aspect, aspect) for aspect, ones in aspects.items() for one in ones
        }
        return observe

    return register


def aspect_of(exercise: str, observation: str) -> Aspect:
    """What an observation of the exercise's probe asks for."""
    usual = USUAL_NAMES.get(observation.partition(",")[0], "values")
    return _aspects[exercise].get(observation, usual)


def declared_aspects(exercise: str) -> Mapping[str, Aspect]:
    """What the exercise's probe declares of its observations, by their names."""
    return _aspects[exercise]


def probe_of(name: str) -> Probe | None:
    """The exercise's probe; None when its grader has none or is not imported yet."""
    return _probes.get(name)


_own: dict[tuple[str, str], str] = {}
_handed: dict[str, set[str]] = {}
_alone: set[str] = set()


def keep_own(exercise: str, *parts: str, because: str) -> None:
    """Declare that an exercise is judged on the student's own answers to some earlier ones.

    Args:
        exercise: the exercise's name.
        parts: the earlier exercises, which get no stand-in.
        because: why: they would give the answer away, or it never needs them.
    """
    _own.update({(exercise, part): because for part in parts})


def stays_own(exercise: str, part: str) -> bool:
    """Whether an earlier exercise gets no stand-in where a later one is judged."""
    return (exercise, part) in _own


def hand_over(exercise: str, *parts: str, as_yardstick: bool = False) -> None:
    """Declare that an exercise's tests hand it modules of earlier ones, whether it names them.

    Args:
        exercise: the exercise's name.
        parts: the earlier exercises.
        as_yardstick: whether these modules tell what the answer is worth. It is judged on right
            ones alone then: a student's own could tell what it likes.
    """
    _handed.setdefault(exercise, set()).update(parts)
    if as_yardstick:
        _alone.add(exercise)


def handed_over(exercise: str) -> set[str]:
    """The earlier exercises of which an exercise's tests hand it modules."""
    return _handed.get(exercise, set())


def is_judged_on_parts_alone(exercise: str) -> bool:
    """Whether only the run on right parts counts."""
    return exercise in _alone
