"""Hidden graders of 01-line-fitting: mean_squared_error."""

from typing import Any

import numpy as np
import pytest

from autograder.judging import Wrong, assert_matches, exercise, expected
from autograder.judging.draw import Draw
from autograder.judging.properties import assert_inputs_unchanged
from autograder.judging.tolerance import number_of
from solutions.line_fitting import reference


@exercise("mean_squared_error")
@pytest.mark.points(4, "values")
def test_the_squared_misses_are_averaged(student: Any, draw: Draw) -> None:
    """The error is the mean of the squared misses."""
    for count in (7, 11, 3, 7):  # a size once more, whose new values show a result that was kept
        predicted, actual = draw.array(count) + 0.8, draw.array(count)
        wanted = expected(reference.mean_squared_error, predicted, actual)
        assert_matches(student.mean_squared_error(predicted, actual), wanted)


@exercise("mean_squared_error")
@pytest.mark.points(1, "values")
def test_misses_twice_as_large_count_four_times(student: Any, draw: Draw) -> None:
    """Where every miss is twice as large, the error is four times as large."""
    actual, misses = draw.array(9), draw.array(9)
    once = _number(student.mean_squared_error(actual + misses, actual))
    twice = _number(student.mean_squared_error(actual + 2 * misses, actual))
    if once == 0 or not np.isclose(twice, 4 * once, rtol=1e-4):
        raise Wrong("Misses twice as large do not make the error four times as large.")


@exercise("mean_squared_error")
@pytest.mark.points(1, "values")
def test_the_same_points_again_change_nothing(student: Any, draw: Draw) -> None:
    """The same points once more leave the error as it is: it is a mean."""
    predicted, actual = draw.array(6) + 1.2, draw.array(6)
    once = _number(student.mean_squared_error(predicted, actual))
    again = _number(student.mean_squared_error(np.tile(predicted, 2), np.tile(actual, 2)))
    if once == 0 or not np.isclose(once, again, rtol=1e-4):
        raise Wrong("The same points once more change the error.")


@exercise("mean_squared_error")
@pytest.mark.points(1, "values")
def test_misses_above_and_below_count_alike(student: Any, draw: Draw) -> None:
    """A miss counts the same above and below, and without any miss the error is 0."""
    actual, misses = draw.array(8), np.abs(draw.array(8)) + 0.1
    above = _number(student.mean_squared_error(actual + misses, actual))
    below = _number(student.mean_squared_error(actual - misses, actual))
    if above == 0 or not np.isclose(above, below, rtol=1e-4):
        raise Wrong("A line that is too low has another error than one that is as much too high.")
    if abs(_number(student.mean_squared_error(actual, actual.copy()))) > 1e-9:
        raise Wrong("Predictions that are all right have an error that is not 0.")


@exercise("mean_squared_error")
@pytest.mark.points(0.5, "numerics")
def test_single_precision_will_do(student: Any, draw: Draw) -> None:
    """Predictions in float32 have the right error, small or large."""
    for scale in (1e-3, 1.0, 1e3):
        predicted, actual = (draw.array(10, dtype=np.float32, scale=scale) for _ in range(2))
        wanted = expected(reference.mean_squared_error, predicted, actual)
        assert_matches(student.mean_squared_error(predicted, actual), wanted)


@exercise("mean_squared_error")
@pytest.mark.points(0.5, "generality")
def test_neither_array_is_changed(student: Any, draw: Draw) -> None:
    """Both arrays still hold the same numbers afterwards."""
    for count in (5, 12):
        result = student.mean_squared_error(draw.array(count), draw.array(count))
        assert_inputs_unchanged(student, result)


def _number(found: object) -> float:
    number = number_of(found)
    if number is None:
        raise Wrong("Your error is not one number.")
    return float(number)
