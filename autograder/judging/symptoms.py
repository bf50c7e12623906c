"""Puts into words how a result differs from the right one, without telling any hidden number."""

import math
from collections.abc import Iterator
from itertools import repeat

import numpy as np

from autograder.checks.kit.values import Array, values
from autograder.judging.forms import Form, form_of
from autograder.judging.tolerance import wide

IN_PLACE = "modified by an inplace operation"  # what autograd says in a backward pass


def capitalized(text: str) -> str:
    """The text with a capital in front, as what begins a sentence."""
    return text[0].upper() + text[1:]


def sentence(text: str) -> str:
    """The text as a sentence of its own."""
    return capitalized(text) + ("" if text.endswith((".", "?")) else ".")


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
    return f"your code raised {name}"


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


def of_values(actual: Array, exact: Array, bound: float) -> str:
    """How floating values differ from the right ones of the same shape.

    Args:
        actual: the student's values.
        exact: the right ones.
        bound: the largest difference that rounding explains.
    """
    found, right = wide(actual), wide(exact)
    if np.isnan(found).any() and not np.isnan(right).any():
        return "NaN appears in it"
    if np.isinf(found).any() and not np.isinf(right).any():
        return "infinity appears in it"
    with np.errstate(all="ignore"):  # what is no number agrees with nothing
        told = _of_sums(found, right) or _of_pattern(found, right, bound)
    return told or "its values are wrong"


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


def _of_sums(actual: np.ndarray, exact: np.ndarray) -> str | None:
    """For weights, whose rows should sum to one: what sums to one instead."""

    def ones(sums: np.ndarray) -> bool:
        return bool((np.abs(sums - 1) < 0.02).all())

    if exact.ndim == 0 or (exact < 0).any() or not ones(exact.sum(-1)) or ones(actual.sum(-1)):
        return None
    if actual.ndim > 1 and ones(actual.sum(-2)):
        return "its columns sum to one, its rows do not"
    if actual.ndim > 2 and ones(actual.sum(-3)):
        return "it sums to one over an axis before the last two, its rows do not"
    if actual.ndim > 1 and ones(actual.sum((-2, -1))):
        return "each whole matrix sums to one, its rows do not"
    if ones(actual.sum()):
        return "it sums to one as a whole, its rows do not"
    if ones(np.exp(actual).sum(-1)):
        return "it looks like the logarithm of what it should be"
    return "its rows do not sum to one"


def _of_pattern(actual: np.ndarray, exact: np.ndarray, bound: float) -> str | None:
    def same(left: np.ndarray, right: np.ndarray) -> bool:
        return left.shape == right.shape and bool((np.abs(left - right) <= bound).all())

    if same(actual, np.zeros_like(actual)):
        return "it is zero everywhere"
    if same(actual, -exact):
        return "its sign is the wrong way round"
    if actual.ndim > 1 and same(actual, _turned(exact)):
        return "it is the transpose of the right one"
    factor = (actual * exact).sum() / (exact * exact).sum()
    if same(actual, factor * exact):
        return f"every value is too {'large' if factor > 1 else 'small'}, all by the same factor"
    if same(np.sort(actual, axis=None), np.sort(exact, axis=None)):
        return "it holds the right numbers in the wrong places"
    if actual.size > 1 and same(actual, exact + (actual - exact).mean()):
        return "every value is off by the same amount"
    wrong = ~(np.abs(actual - exact) <= bound)
    if (np.abs(actual - exact) <= 20 * bound).all():
        return "it is close, but further off than rounding explains"
    if wrong.mean() < 0.9:
        return _of_places(wrong) or "some of its values are right and others are wrong"
    return _of_rows(actual, exact, bound)


def _of_places(wrong: np.ndarray) -> str | None:
    """Where the wrong values stand, when some rows, columns or whole parts hold none."""
    axes = {-2: "rows", -1: "columns", -3: "matrices"} if wrong.ndim > 1 else {-1: "values"}
    for axis, parts in axes.items():
        if wrong.ndim < -axis:
            continue
        others = tuple(place for place in range(wrong.ndim) if place != wrong.ndim + axis)
        found = np.asarray(wrong.any(others))
        if not found.all():
            return _of_run([bool(one) for one in found], parts)
    return None


def _of_run(wrong: list[bool], parts: str) -> str:
    if sum(wrong) == 1 and wrong[0]:
        return f"the first of its {parts} is wrong, the others are right"
    if sum(wrong) == 1 and wrong[-1]:
        return f"the last of its {parts} is wrong, the others are right"
    if not any(wrong[:1]) and all(wrong[1:]):
        return f"the first of its {parts} is right, those after it are wrong"
    if not any(wrong[-1:]) and all(wrong[:-1]):
        return f"the last of its {parts} is right, those before it are wrong"
    if wrong == sorted(wrong):
        return f"the first of its {parts} are right, the later ones are wrong"
    if wrong == sorted(wrong, reverse=True):
        return f"the first of its {parts} are wrong, the later ones are right"
    return f"some of its {parts} are right and others are wrong"


def _of_rows(actual: np.ndarray, exact: np.ndarray, bound: float) -> str | None:
    """What all rows have in common, when no value is right."""

    def same(left: np.ndarray, right: np.ndarray) -> bool:
        return bool((np.abs(left - right) <= bound).all())

    if actual.ndim < 2 or min(actual.shape[-2:]) < 2:
        return None
    if same(actual, actual[..., :1, :]) and not same(exact, exact[..., :1, :]):
        return "all of its rows are the same"
    factors = (actual * exact).sum(-1, keepdims=True) / (exact * exact).sum(-1, keepdims=True)
    if same(actual, factors * exact):
        return "each row is too large or too small by a factor of its own"
    shifts = (actual - exact).mean(-1, keepdims=True)
    if same(actual, exact + shifts):
        return "each row is off by an amount of its own"
    return None
