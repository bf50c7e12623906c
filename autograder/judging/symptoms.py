"""Puts into words how a result differs from the right one, without telling any hidden number."""

import math
from collections.abc import Iterator
from itertools import repeat

import numpy as np

from autograder.checks.kit.values import Array, values
from autograder.judging.forms import Form, form_of

IN_PLACE = "modified by an inplace operation"  # what autograd says in a backward pass


def capitalized(text: str) -> str:
    """The text with a capital in front, as what begins a sentence."""
    return text[0].upper() + text[1:]


def sentence(text: str) -> str:
    """The text as a sentence of its own."""
    return capitalized(text) + ("" if text.endswith((".", "?")) else ".")


NOT_DEFINED = "your code uses a name that is not defined (NameError)"


def of_error(name: str, message: str = "") -> str:
    """What an error of this name, raised by a student's code, looks like.

    Args:
        name: the error's.
        message: its text; nothing of it is repeated.
    """
    if IN_PLACE in message:
        return (
            "gradients cannot flow back: your code changes a tensor in place whose values the way "
            "back still needs"
        )
    if name == "NameError":
        return NOT_DEFINED
    return f"your code raised {name}"


NOT_WRITTEN = of_error("NotImplementedError")


def of_type(value: object) -> str:
    """What a value is, for a student: "a NumPy array", "a list"."""
    if values().is_array(value):
        return f"a {values().noun(value)}"
    names: dict[type, str] = {
        tuple: "a tuple",
        list: "a list",
        type(None): "nothing (None)",
        bool: "True or False",
        int: "a number",
        float: "a number",
        np.bool_: "True or False",
        np.number: "a number",
        str: "a string",
        dict: "a dictionary",
    }
    return next((text for kind, text in names.items() if isinstance(value, kind)), "another type")


def places() -> Iterator[str]:
    """How to call each of several values that a student returns, in order."""
    yield from (f"the {place} value you return" for place in ("first", "second", "third"))
    yield from repeat("a later value you return")


def of_form(actual: object, wanted: Form, what: str) -> str | None:
    """How all but the values of a result differ from what was promised; None where nothing does.

    Args:
        actual: what the student's code returned.
        wanted: the form that was promised.
        what: how to call the result.
    """
    what = capitalized(what)
    if not isinstance(actual, wanted.kind):
        promised = "a NumPy array" if wanted.kind is np.ndarray else "a tensor"
        return f"{what} is {of_type(actual)}; {promised} was promised."
    found = form_of(actual)
    if found.device != wanted.device:
        return f"{what} is on the {found.device} device; {wanted.device} was asked for."
    if found.shape != wanted.shape:
        return f"{what} has the wrong shape: {of_shape(found.shape, wanted.shape)}."
    if found.dtype != wanted.dtype:
        here, there = (str(one.dtype).rpartition(".")[2] for one in (found, wanted))
        return f"{what} holds {here} values where {there} was promised."
    return None


def of_shape(actual: tuple[int, ...], expected: tuple[int, ...]) -> str:
    """How a shape differs from the expected one."""
    if len(actual) != len(expected):
        return f"it has {'fewer' if len(actual) < len(expected) else 'more'} axes than it should"
    if len(expected) > 1 and actual == (*expected[:-2], expected[-1], expected[-2]):
        return "its last two axes are swapped"
    if sorted(actual) == sorted(expected):
        return "its axes are in another order than they should be"
    wrong = [axis for axis in range(len(expected)) if actual[axis] != expected[axis]]
    if len(wrong) > 1:
        return "several of its axes have the wrong length"
    place = {len(expected) - 2: "second last", 0: "first", len(expected) - 1: "last"}
    return f"its {place.get(wrong[0], 'middle')} axis has the wrong length"


def of_allowed(actual: Array, exact: Array) -> str:
    """How truth values differ from the right ones of the same shape."""
    found, right = values().as_numpy(actual), values().as_numpy(exact)
    if np.array_equal(found, ~right):
        return "True and False are the other way round everywhere"
    if found.ndim > 1 and np.array_equal(found, _turned(right)):
        return "it is the transpose of the right one"
    extra, missing = bool((found & ~right).any()), bool((right & ~found).any())
    if extra and missing:
        return "some entries are True that should be False, and some False that should be True"
    if extra:
        return "some entries are True that should be False"
    return "some entries are False that should be True"


def of_integers(actual: Array, exact: Array) -> str:
    """How whole numbers differ from the right ones of the same shape."""
    right = values().as_numpy(actual) == values().as_numpy(exact)
    return f"{'some' if right.any() else 'all'} of its numbers are wrong"


def of_number(actual: float, exact: float) -> str:
    """How one number differs from the right one."""
    if math.isnan(actual) or math.isinf(actual):
        return "it is NaN" if math.isnan(actual) else "it is infinite"
    if actual == 0:
        return "it is 0"
    if math.isclose(actual, -exact, rel_tol=1e-5):
        return "its sign is the wrong way round"
    if actual * exact < 0:
        return f"it is {'above' if actual > 0 else 'below'} 0, and should not be"
    return f"it is too {'large' if abs(actual) > abs(exact) else 'small'}"


def _turned(array: np.ndarray) -> np.ndarray:
    return np.swapaxes(array, -1, -2)
