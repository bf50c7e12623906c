"""What a visible check states: `expect` compares, and words the difference for a beginner."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from .answer_forms import number_of
from .comparing import Comparison, compare
from .describing import dtype_text, form_text, numbers_of, result_text
from .errors import StudentError
from .local_student import LocalStudent
from .values import Array, values

exercise = pytest.mark.exercise
"""Marks a test function with the exercise that it checks."""

Hint = Callable[[np.ndarray], str | None]
"""Looks at a wrong result and names what is special about it; None when nothing is."""


class Mismatch(AssertionError):
    """A result is not what was expected.

    Attributes:
        came_back: the result in words; None where the call's own result says it.
        expected: what was expected, in words.
        says: one or two sentences to the student; never the answer.
        compared: both side by side, where both are numbers in the same form.
    """

    def __init__(
        self, came_back: str | None, expected: str, says: str, compared: Comparison | None = None
    ) -> None:
        super().__init__(says)
        self.came_back = came_back
        self.expected = expected
        self.says = says
        self.compared = compared


def expect(actual: Any, wanted: Array, axes: str, hint: Hint | None = None) -> None:
    """State what came back must be: type, shape, dtype, device and values.

    Args:
        actual: what the student's code returned.
        wanted: what is right; numbers are compared with the tolerance of its dtype.
        axes: what the axes are called, for the message: "(rows, columns)".
        hint: asked first for any mismatch of tensors or arrays.
    Raises:
        Mismatch: something differs; the first thing that does is named.
    """
    _expect_type(actual, wanted)
    array = numbers_of(actual)
    special = hint(array) if hint is not None and array is not None else None
    if tuple(actual.shape) != tuple(wanted.shape):
        says = special or f"The shape differs. The axes wanted are {axes}."
        raise Mismatch(f"shape {tuple(actual.shape)}", f"shape {tuple(wanted.shape)}: {axes}", says)
    if actual.dtype != wanted.dtype:
        here, there = dtype_text(actual), dtype_text(wanted)
        says = special or f"The numbers are of type {here}; {there} is wanted here."
        raise Mismatch(here, there, says)
    here, there = values().device_text(actual), values().device_text(wanted)
    if here != there:
        raise Mismatch(here, there, f"The result is on device {here}; {there} was asked for.")
    expected = numbers_of(wanted)
    if array is None or expected is None or _close(array, expected, _tolerance(wanted)):
        return
    differs = _differs(array, expected, _tolerance(wanted))
    places = [tuple(map(int, place)) for place in np.argwhere(differs)]
    if special is None and np.isnan(array).any():
        special = "Some numbers are nan (not a number). Which step made infinity or 0 / 0?"
    says = special or (
        f"{len(places)} of {array.size} numbers differ, the first at index {places[0]}."
    )
    here, there = result_text(actual), result_text(wanted)
    if here == there:  # of many numbers only the first are told, and these are alike
        here += f"\nfirst to differ, at {places[0]}: {_told(array[places[0]])}"
        there += f"\nat {places[0]}: {_told(expected[places[0]])}"
    raise Mismatch(here, there, says, compare(array, expected, differs))


def expect_number(
    actual: Any, wanted: float, what: str, hint: Callable[[float], str | None] | None = None
) -> None:
    """State which number must come back, Python's own or NumPy's.

    Args:
        actual: what the student's code returned.
        wanted: the right number.
        what: what the number is, for the message: "the error".
        hint: asked first for a number that is wrong.
    Raises:
        Mismatch: another number came back, or none.
    """
    found = number_of(actual)
    if found is None:
        says = f"One number is wanted here: {what}."
        if actual is None:
            says = "Nothing came back. Does your function end with `return` and the result?"
        raise Mismatch(form_text(actual), f"one number: {wanted:.6g}", says)
    if not np.isclose(found, wanted, rtol=1e-4, atol=1e-6):
        special = hint(found) if hint is not None else None
        says = special or f"This is another number than {what}."
        raise Mismatch(f"{found:.6g}", f"{wanted:.6g}", says)


def expect_part(name: str, actual: Any, wanted: Array, axes: str, hint: Hint | None) -> None:
    """State what one of several values that came back must be; a mismatch names it."""
    try:
        expect(actual, wanted, axes, hint)
    except Mismatch as wrong:
        came_back = wrong.came_back or result_text(actual)
        told = f"{name}:\n{came_back}", f"{name}:\n{wrong.expected}"
        raise Mismatch(*told, wrong.says, wrong.compared) from None


def expect_inputs_unchanged(student: LocalStudent) -> None:
    """State that the last call left its arguments as they were."""
    if student.changed_inputs:
        place = student.changed_inputs[0]
        which = f"argument number {place + 1}" if isinstance(place, int) else f"argument {place}"
        raise Mismatch(
            f"{which} has other numbers after the call",
            "the arguments as they were",
            f"Your code changed its input ({which}). The caller may still need it: make a new "
            "tensor or array instead of writing into the one that came in.",
        )


_SLIPS = {"NameError", "UnboundLocalError", "SyntaxError", "ImportError", "ModuleNotFoundError"}
"""What no code raises in order to refuse a number."""


def expect_value_error(call: Callable[[], Any], numbers: tuple[int, ...]) -> None:
    """State that a call is refused with a ValueError whose text names the numbers, if any."""
    names = f" that names {' and '.join(map(str, numbers))}" if numbers else ""
    wanted = f"ValueError{names}"
    try:
        result = call()
    except StudentError as error:
        came_back = result_text(error)
        if error.type_name == "NotImplementedError" or error.builtin in _SLIPS:
            raise
        if error.builtin != "ValueError":
            says = "The wrong number is refused, but by another kind of error. Which kind is asked?"
            raise Mismatch(came_back, wanted, says) from None
        if not all(str(number) in error.message for number in numbers):
            says = "A good error message lets the reader see what clashed: name both numbers in it."
            raise Mismatch(came_back, wanted, says) from None
        return
    says = "This call cannot work, yet it was accepted. Test the numbers first, and raise."
    raise Mismatch(form_text(result), wanted, says)


def same(array: np.ndarray, other: Any) -> bool:
    """Whether two arrays agree in shape and, nearly, in numbers; for hints."""
    return array.shape == np.shape(other) and _close(array, np.asarray(other), 1e-3)


def sums_to_one(array: np.ndarray, axis: int | tuple[int, ...] | None) -> bool:
    """Whether all sums along an axis are 1; for hints."""
    return bool(np.isfinite(array).all() and np.allclose(array.sum(axis=axis), 1, atol=0.02))


def _expect_type(actual: Any, wanted: Array) -> None:
    kind = values().noun(wanted)
    if isinstance(actual, type(wanted)):
        return
    if actual is None:
        says = "Nothing came back. Does your function end with `return` and the result?"
    elif isinstance(actual, (tuple, list)):
        says = f"A {type(actual).__name__} of {len(actual)} came back where one {kind} is wanted."
    else:
        says = f"A {kind} is wanted here."
    raise Mismatch(form_text(actual), f"one {kind}", says)


def _tolerance(wanted: Array) -> float:
    return {"bfloat16": 0.02, "float16": 0.004}.get(dtype_text(wanted), 1e-4)


def _close(array: np.ndarray, expected: np.ndarray, tolerance: float) -> bool:
    if array.dtype == bool or expected.dtype == bool:
        return bool((array == expected).all())
    return bool(np.allclose(array, expected, rtol=tolerance, atol=tolerance, equal_nan=True))


def _told(number: np.generic) -> str:
    return str(number) if isinstance(number, np.bool_) else f"{number:.6g}"


def _differs(array: np.ndarray, expected: np.ndarray, tolerance: float) -> np.ndarray:
    """Where the numbers are not what was expected."""
    return ~np.isclose(array, expected, rtol=tolerance, atol=tolerance, equal_nan=True)
