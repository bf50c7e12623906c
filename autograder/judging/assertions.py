"""Compares a student's result with the reference's, and says in words what differs."""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from autograder.checks.kit.errors import MissingName, StudentError
from autograder.checks.kit.values import Array, values
from autograder.judging import patterns, symptoms
from autograder.judging.forms import form_of
from autograder.judging.symptoms import capitalized
from autograder.judging.tolerance import (
    Expected,
    Kind,
    Value,
    bound,
    compared,
    number_of,
)


class Wrong(AssertionError):
    """Something about an answer is wrong.

    Attributes:
        symptom: what is seen, a sentence to the student; tells no hidden input and no hidden value.
        misconception: slug of the known mistake, when the test itself is sure of it.
    """

    def __init__(self, symptom: str, misconception: str | None = None) -> None:
        super().__init__(symptom)
        self.symptom = symptom
        self.misconception = misconception


@contextmanager
def sure_of(misconception: str) -> Iterator[None]:
    """Name what is wrong inside, for answers that are right in all that a probe sees.

    Args:
        misconception: the mistake's slug.
    """
    try:
        yield
    except Wrong as wrong:
        raise Wrong(wrong.symptom, misconception) from None
    except MissingName:
        raise
    except StudentError as error:
        raise Wrong(symptoms.of_error(error.builtin, error.message), misconception) from None


def assert_matches(actual: object, wanted: Expected | Value, what: str = "your result") -> None:
    """Check type, device, shape, dtype and values.

    Args:
        actual: what the student's code returned.
        wanted: what the reference returns; a bare tensor or array counts as exact.
        what: how to call the result in a symptom.

    Raises:
        Wrong: something differs.
    """
    if not isinstance(wanted, Expected):
        wanted = Expected(wanted, wanted)
    if not isinstance(wanted.plain, tuple):
        return _assert_one(actual, wanted.plain, wanted.exact, what)
    assert isinstance(wanted.exact, tuple)
    if not isinstance(actual, tuple | list):
        raise Wrong(f"A tuple was promised; {what} is {symptoms.of_type(actual)}.")
    if len(actual) != len(wanted.plain):
        raise Wrong(f"{capitalized(what)} holds another number of values than was promised.")
    parts = zip(symptoms.places(), actual, wanted.plain, wanted.exact, strict=False)
    for place, part, plain, exact in parts:
        assert_matches(part, Expected(plain, exact), place)


def _assert_one(actual: object, plain: Value, exact: Value, what: str) -> None:
    if isinstance(plain, float | np.floating):
        return _assert_number(actual, plain, exact, what)
    if not values().is_array(plain):
        if type(actual) is not type(plain) or actual != plain:
            raise Wrong(f"{capitalized(what)} is not what was promised.")
        return
    assert_form(actual, plain, what)
    if form_of(plain).device == "meta":
        return
    if values().holds_floats(exact):
        assert_close(actual, exact, bound(plain, exact), what)
    elif not np.array_equal(values().as_numpy(actual), values().as_numpy(exact)):
        truths = values().dtype_text(exact) == "bool"
        words = symptoms.of_allowed if truths else symptoms.of_integers
        raise Wrong(f"{capitalized(what)} is wrong: {words(actual, exact)}.")


def _assert_number(actual: object, plain: Value, exact: Value, what: str) -> None:
    """Check one number, which may be Python's or NumPy's, of any dtype."""
    found, right, rounded = number_of(actual), number_of(exact), number_of(plain)
    assert right is not None
    assert rounded is not None
    if found is None:
        raise Wrong(f"{capitalized(what)} is {symptoms.of_type(actual)}; a number was promised.")
    if compared(found, right, bound(rounded, right)) > 1:
        words = symptoms.of_number(float(found), float(right))
        raise Wrong(f"{capitalized(what)} is wrong: {words}.")


def assert_form(actual: object, plain: Array, what: str) -> None:
    """Check all but the values."""
    differs = symptoms.of_form(actual, form_of(plain), what)
    if differs is not None:
        raise Wrong(differs)


def assert_close(
    actual: Array, exact: Array, allowed: float, what: str, kind: Kind = "values"
) -> None:
    """Check the values alone."""
    if compared(actual, exact, allowed, kind) > 1:
        words = patterns.of_values(actual, exact, allowed)
        dtype = values().dtype_text(actual)
        half = f" in {dtype}" if dtype in ("float16", "bfloat16") else ""
        raise Wrong(f"{capitalized(what)} is wrong{half}: {words}.")
