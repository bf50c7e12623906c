"""Which call of a failed hidden test shows what is wrong, and how it differs from the reference."""

import builtins
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.checks.kit.errors import Gradients, StudentDied, StudentError
from autograder.checks.kit.local_student import LocalModule
from autograder.checks.kit.values import values
from autograder.disputes.recording import Recorded
from autograder.disputes.replay import Right
from autograder.disputes.showing import distances
from autograder.judging.forms import form_of
from autograder.judging.symptoms import of_form, of_type
from autograder.judging.tolerance import FLOORS, GRADIENT_FLOOR_FACTOR, largest
from autograder.student import RemoteModule
from autograder.student.remote import RemoteAxes

ASKED_LAST = ("call", "grad", "traced", "fresh", "value")


@dataclass(frozen=True)
class Witness:
    """The call that shows what is wrong.

    Attributes:
        place: its place among all that the test asked.
        difference: the first thing in which it differs from the reference; empty where it does not
            by itself, and the test saw something else.
    """

    place: int
    difference: str


def witness_of(asked: Sequence[Recorded], right: Sequence[Right | None]) -> Witness | None:
    """The last call that differs from the reference, since a test stops at what it finds.

    Where none does, the last call: the test compared calls with each other, or looked at how they
    ran. None where nothing was asked.
    """
    last: int | None = None
    for place in range(len(asked) - 1, -1, -1):
        one, wanted = asked[place], right[place]
        if one.way not in ASKED_LAST:
            continue
        last = place if last is None else last
        if (difference := _difference(one, wanted)) is not None:
            return Witness(place, difference)
    return None if last is None else Witness(last, "")


def _difference(one: Recorded, wanted: Right | None) -> str | None:
    if isinstance(one.raised, StudentDied):
        return f"The process ended: {one.raised}."
    if wanted is None:
        return str(one.raised) if one.raised is not None else None
    if isinstance(one.raised, StudentError):
        if wanted.raised is None:
            return f"It raised {one.raised.type_name}; the reference returns."
        return _of_errors(one.raised, wanted.raised)
    if wanted.raised is not None:
        return f"It returned; the reference raises {wanted.raised.type_name}."
    if isinstance(one.gave, Gradients) and isinstance(wanted.gave, Gradients):
        found = differs(one.gave.value, wanted.gave.value, "the result")
        return found or _of_gradients(one.gave, wanted.gave, one)
    if one.changed and one.name not in MUTATING:
        return f"It changed what it was given: {', '.join(map(_argument, one.changed))}."
    return differs(one.gave, wanted.gave, "the result")


MUTATING = ("load_state_dict",)


def _argument(place: int | str) -> str:
    return f"argument {place + 1}" if isinstance(place, int) else f"`{place}`"


def _of_errors(found: StudentError, wanted: StudentError) -> str | None:
    kind = getattr(builtins, wanted.builtin, Exception)
    if not issubclass(getattr(builtins, found.builtin, Exception), kind):
        return f"It raised {found.type_name}; the reference raises {wanted.type_name}."
    numbers = _numbers_in(wanted.message) - _numbers_in(found.message)
    if numbers:
        listed = ", ".join(sorted(numbers, key=float))
        return f"Its error's text leaves out {listed}, which the reference's names."
    return None


def _numbers_in(text: str) -> set[str]:
    cleaned = "".join(c if c.isdigit() else " " for c in text)
    return set(cleaned.split())


def _of_gradients(found: Gradients, wanted: Gradients, one: Recorded) -> str | None:
    pairs = [
        (f"the gradient of argument {place + 1}", *both)
        for place, both in enumerate(zip(found.inputs, wanted.inputs, strict=False))
    ]
    pairs += [
        (f"the gradient of {name}", found.parameters.get(name), right)
        for name, right in wanted.parameters.items()
    ]
    scale = max((largest(right) for _, _, right in pairs if right is not None), default=0.0)
    for what, ours, right in pairs:
        if right is None or (ours is None and not largest(right)):
            continue
        if ours is None:
            return f"{what.capitalize()} is missing: nothing flows back to it."
        if told := differs(ours, right, what, scale):
            return told
    return None


def differs(found: Any, right: Any, what: str, scale: float | None = None) -> str | None:
    """The first thing in which a value differs from the reference's, for whoever may see numbers.

    Args:
        found: the student's.
        right: the reference's.
        what: how to call it.
        scale: magnitude that the rounding of gradients is relative to.
    """
    start = what[0].upper() + what[1:]
    if isinstance(right, LocalModule):
        return None if isinstance(found, RemoteModule) else f"{start} is no module."
    if isinstance(found, RemoteModule | RemoteAxes):
        return f"{start} is a module." if isinstance(found, RemoteModule) else None
    if isinstance(right, tuple | list):
        if not isinstance(found, tuple | list):
            return f"{start} is {of_type(found)}; {len(right)} values were expected."
        if len(found) != len(right):
            return f"{start} has {len(found)} values; {len(right)} were expected."
        pairs = enumerate(zip(found, right, strict=True))
        told = (differs(one, other, f"{what}[{place}]") for place, (one, other) in pairs)
        return next(filter(None, told), None)
    if isinstance(right, dict):
        if not isinstance(found, dict) or found.keys() != right.keys():
            return f"{start} has other keys than the reference's."
        told = (differs(found[key], one, f"{what}[{key!r}]") for key, one in right.items())
        return next(filter(None, told), None)
    if values().is_array(right):
        return _of_arrays(found, right, start, scale)
    if isinstance(right, float | np.floating):
        number = values().numbers_of(found) if values().is_array(found) else None
        plain = number.item() if number is not None and number.size == 1 else found
        if not isinstance(plain, int | float | np.number):
            return f"{start} is {of_type(found)}; a number was expected."
        if not np.isclose(float(plain), float(right), rtol=1e-5, atol=0, equal_nan=True):
            return f"{start} is {float(plain):.6g}; {float(right):.6g} was expected."
        return None
    if right is None or isinstance(right, bool | int | str):
        if isinstance(found, int | float | np.number | str | type(None)) and found == right:
            return None
        return f"{start} is {_short(found)}; {right!r} was expected."
    return None


def allowed(right: Any, scale: float | None = None) -> float:
    """How far numbers may lie from the reference's: the floor of their dtype."""
    if values().numbers_of(right) is None:  # such as a tensor on the meta device
        return 0.0
    floor = FLOORS.get(values().dtype_text(right), 0.0)
    if scale is None:
        return floor * largest(right)
    return floor * scale * GRADIENT_FLOOR_FACTOR


def _short(value: Any) -> str:
    text = (
        repr(value) if isinstance(value, bool | int | float | str | type(None)) else of_type(value)
    )
    return text if len(text) < 80 else f"{text[:79]}…"


def _of_arrays(found: Any, right: Any, start: str, scale: float | None) -> str | None:
    if not values().is_array(found):
        return f"{start} is {of_type(found)}; a {values().noun(right)} was expected."
    form = of_form(found, form_of(right), start)
    if tuple(found.shape) != tuple(right.shape):
        return f"{start} has shape {tuple(found.shape)}; {tuple(right.shape)} was expected."
    ours, theirs = values().numbers_of(found), values().numbers_of(right)
    if ours is None or theirs is None:
        return form
    apart = distances(ours, theirs)
    wrong = apart > allowed(right, scale)
    if not wrong.any():
        return form
    place = tuple(int(i) for i in np.unravel_index(int(apart.argmax()), apart.shape))
    where = f"{start}[{', '.join(map(str, place))}]" if place else start
    pair = (_said(ours[place]), _said(theirs[place]))
    some = f"{int(wrong.sum())} of {wrong.size} differ"
    return f"{where} is {pair[0]}; {pair[1]} was expected. {some}." + (f" {form}" if form else "")


def _said(number: Any) -> str:
    return str(bool(number)) if isinstance(number, np.bool_) else f"{float(number):.6g}"
