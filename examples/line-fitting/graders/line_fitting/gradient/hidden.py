"""Hidden graders of 01-line-fitting: gradient."""

from typing import Any

import numpy as np
import pytest

from autograder.judging import Wrong, exercise, expected
from autograder.judging.draw import Draw
from autograder.judging.properties import assert_inputs_unchanged
from autograder.judging.tolerance import number_of
from graders.line_fitting.points import line, points
from graders.line_fitting.several import assert_tuple_of, assert_value_matches, value_at
from solutions.line_fitting import reference

SIZES = (7, 11, 3, 7)  # one of them twice: new values show a result that was kept


@exercise("gradient")
@pytest.mark.points(3, "values")
def test_the_part_for_the_slope_is_right(student: Any, draw: Draw) -> None:
    """The first number is the derivative of the error for the slope."""
    for count in SIZES:
        given = *points(draw, count), *line(draw)
        found, wanted = student.gradient(*given), expected(reference.gradient, *given)
        assert_value_matches(found, wanted, 0, "the part for the slope")


@exercise("gradient")
@pytest.mark.points(2, "values")
def test_the_part_for_the_intercept_is_right(student: Any, draw: Draw) -> None:
    """The second number is the derivative of the error for the intercept."""
    for count in SIZES:
        given = *points(draw, count), *line(draw)
        found, wanted = student.gradient(*given), expected(reference.gradient, *given)
        assert_value_matches(found, wanted, 1, "the part for the intercept")


@exercise("gradient")
@pytest.mark.points(1, "values")
def test_the_gradient_is_zero_at_the_best_line_alone(student: Any, draw: Draw) -> None:
    """At the best line both parts are 0, and beside it they are not."""
    x, y = points(draw, 9)
    slope, intercept = reference.normal_equation(x, y)
    if _length(student.gradient(x, y, slope, intercept)) > 1e-6:
        raise Wrong("At the best line your gradient is not 0.")
    if _length(student.gradient(x, y, slope + 0.5, intercept - 0.4)) < 1e-2:
        raise Wrong("Beside the best line your gradient is 0.")


@exercise("gradient")
@pytest.mark.points(1, "values")
def test_a_short_step_against_the_gradient_goes_down(student: Any, draw: Draw) -> None:
    """A short step against the gradient makes the error smaller."""
    for count in (5, 10):
        x, y = points(draw, count)
        slope, intercept = line(draw)
        found = student.gradient(x, y, slope, intercept)
        for_slope, for_intercept = (_number(found, place) for place in (0, 1))
        short = 1e-4 / max(abs(for_slope), abs(for_intercept), 1e-9)
        stepped = slope - short * for_slope, intercept - short * for_intercept
        if not _error(x, y, *stepped) < _error(x, y, slope, intercept):
            raise Wrong("A short step against your gradient does not make the error smaller.")


@exercise("gradient")
@pytest.mark.points(0.5, "form")
def test_two_numbers_come_back_as_a_tuple(student: Any, draw: Draw) -> None:
    """Two numbers come back, in a tuple."""
    found = student.gradient(*points(draw, 6), *line(draw))
    assert_tuple_of(found, 2)
    for place in (0, 1):
        _number(found, place)


@exercise("gradient")
@pytest.mark.points(0.5, "numerics")
def test_single_precision_will_do(student: Any, draw: Draw) -> None:
    """Points in float32 have the right gradient."""
    x = np.abs(draw.array(8, dtype=np.float32)) + np.float32(0.5)
    y = -np.abs(draw.array(8, dtype=np.float32))  # all below the line, so that nothing cancels
    found, wanted = student.gradient(x, y, 2.5, 1.5), expected(reference.gradient, x, y, 2.5, 1.5)
    for place, what in enumerate(("the part for the slope", "the part for the intercept")):
        assert_value_matches(found, wanted, place, what)


@exercise("gradient")
@pytest.mark.points(0.5, "generality")
def test_x_and_y_are_left_as_they_were(student: Any, draw: Draw) -> None:
    """The arrays x and y still hold the same numbers afterwards."""
    for count in (5, 12):
        result = student.gradient(*points(draw, count), *line(draw))
        assert_inputs_unchanged(student, result)


def _number(found: object, place: int) -> float:
    number = number_of(value_at(found, place))
    if number is None:
        raise Wrong("A part of your gradient is not a number.")
    return float(number)


def _length(found: object) -> float:
    return max(abs(_number(found, place)) for place in (0, 1))


def _error(x: np.ndarray, y: np.ndarray, slope: float, intercept: float) -> float:
    return reference.mean_squared_error(reference.predict(x, slope, intercept), y)
