"""Checks that need no reference: of a result's form, of what a call does to its inputs, of laws.

A law compares an answer with itself: it holds of every right answer, whatever its values are.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np

from autograder.checks.kit.errors import MissingName, StudentError
from autograder.checks.kit.values import Array, values
from autograder.judging.assertions import Wrong, assert_matches
from autograder.judging.forms import form_of
from autograder.judging.tolerance import compared, law_bound, number_of

Call = Callable[..., object]


def assert_varied(result: object, like: Array) -> None:
    """Refuse what no property can be asked of: another type or shape, NaN, one value everywhere.

    Args:
        result: what the student's code returned.
        like: something of the type and shape that was promised.
    """
    if not isinstance(result, type(like)) or tuple(result.shape) != tuple(like.shape):
        assert_matches(result, like)
    if form_of(result).device != form_of(like).device:
        assert_matches(result, like)
    if not values().holds_floats(result):
        raise Wrong("Your result does not hold floating-point numbers.")
    numbers = values().as_numpy(result)
    if np.isnan(numbers).any():
        raise Wrong("NaN appears in your result.")
    if (numbers == numbers.reshape(-1)[0]).all():
        raise Wrong("Your result holds one value everywhere.")


def assert_gives_numbers(result: object) -> None:
    """Refuse a result without a number in it: what code that gives nothing does is no answer."""
    if not _holds_numbers(result):
        raise Wrong("Your code gives back neither a tensor nor an array, and no number either.")


def assert_inputs_unchanged(student: Any, result: object) -> None:
    """Refuse a call that changed what it was given, or that gave nothing back."""
    assert_gives_numbers(result)
    if student.changed_inputs:
        raise Wrong("Your code changes a tensor or array that it was given.")


def assert_leaves_inputs(student: Any, *calls: Callable[[], object]) -> None:
    """Refuse an answer of which some call changes what it was given, or gives nothing back.

    Raises:
        StudentError: every call stops.
    """
    for _, result in that_run(calls):
        assert_inputs_unchanged(student, result)


def that_run(calls: Iterable[Call], *args: object) -> Iterator[tuple[Call, object]]:
    """Calls of a student's code that give something, each with what it gave, one by one.

    Where code stops, it says nothing of what it does elsewhere: a claim about that is asked of the
    calls that run.

    Args:
        calls: of the same code, on inputs of other kinds.
        args: handed to each call.

    Raises:
        StudentError: all of them stop; the last one's error.
    """
    some, stopped = False, None
    for call in calls:
        try:
            result = call(*args)
        except MissingName:
            raise
        except StudentError as error:
            stopped = error
        else:
            some = True
            yield call, result
    if stopped is not None and not some:
        raise stopped


def _holds_numbers(result: object) -> bool:
    """Whether it is a tensor, an array or a number, or has one among its values."""
    if isinstance(result, tuple | list):
        return any(map(_holds_numbers, result))
    return values().is_array(result) or number_of(result) is not None


def assert_no_bias(module: Any, layers: Iterable[str]) -> None:
    """Refuse a module with a bias in one of these layers, even one that no output tells."""
    state = module.state_dict()
    if not isinstance(state, Mapping):
        raise Wrong("Your module's state_dict is not that of nn.Module.")
    if any(f"{layer}.bias" in state for layer in layers):
        raise Wrong("Some projection has a bias where none was asked for.")


def same_bits(one: Array, other: Array) -> bool:
    """Whether two tensors or arrays hold the same values exactly; NaN equals nothing."""
    same_form = one.shape == other.shape and one.dtype == other.dtype
    return same_form and np.array_equal(values().as_numpy(one), values().as_numpy(other))


def assert_agree(one: Array, other: Array, symptom: str) -> None:
    """Refuse two results of one answer that a law makes equal, but for rounding.

    Raises:
        Wrong: they differ; says the symptom.
    """
    same_form = one.shape == other.shape
    if not same_form or compared(one, other, law_bound(one, other), "laws") > 1:
        raise Wrong(symptom)


def assert_linear(average: Callable[[Array], Array], one: Array, other: Array) -> None:
    """Refuse averages that do not grow with their values, add where those add, and begin at 0.

    Args:
        average: gives the output for values of the shape of `one`; a tensor of its dtype.
        one: some values.
        other: others, of the same shape.
    """
    large, small = 2.0**12, 2.0**-30  # powers of two, so that no value is rounded anew
    first, second = average(one), average(other)
    symptom = "Your output does not follow its values: {} values do not give {} output."
    pairs = (
        (large * one, large * first, "large", "as large an"),
        (small * one, small * first, "small", "as small an"),
        (one + other, first + second, "added", "the added"),
    )
    for given, wanted, *words in pairs:
        assert_agree(average(given), wanted, symptom.format(*words))
