"""Hidden graders of 01-line-fitting: normal_equation."""

import builtins
from typing import Any

import numpy as np
import pytest

from autograder.checks.kit.errors import MissingName, StudentError
from autograder.judging import Wrong, exercise, expected
from autograder.judging.draw import Draw
from autograder.judging.properties import assert_inputs_unchanged
from autograder.judging.tolerance import number_of
from graders.line_fitting.points import line, points
from graders.line_fitting.several import assert_tuple_of, assert_value_matches, value_at
from solutions.line_fitting import reference

SIZES = (7, 11, 3, 7)  # one of them twice: new values show a result that was kept


@exercise("normal_equation")
@pytest.mark.points(3, "values")
def test_the_slope_is_that_of_the_best_line(student: Any, draw: Draw) -> None:
    """The first number is the slope of the line with the smallest mean squared error."""
    for count in SIZES:
        x, y = points(draw, count)
        found, wanted = student.normal_equation(x, y), expected(reference.normal_equation, x, y)
        assert_value_matches(found, wanted, 0, "the slope")


@exercise("normal_equation")
@pytest.mark.points(3, "values")
def test_the_intercept_is_that_of_the_best_line(student: Any, draw: Draw) -> None:
    """The second number is the intercept of the line with the smallest mean squared error."""
    for count in SIZES:
        x, y = points(draw, count)
        found, wanted = student.normal_equation(x, y), expected(reference.normal_equation, x, y)
        assert_value_matches(found, wanted, 1, "the intercept")


@exercise("normal_equation")
@pytest.mark.points(1, "values")
def test_points_on_a_line_give_that_line(student: Any, draw: Draw) -> None:
    """Points that lie on a line give that line, be they only two, or far from x = 0."""
    for x in (draw.array(2) + np.array([0.0, 4.0]), draw.array(9) + 40.0):
        slope, intercept = line(draw)
        found = _line(student.normal_equation(x, slope * x + intercept))
        if not np.allclose(found, (slope, intercept), rtol=1e-5):
            raise Wrong("Points that lie on a line do not give that line.")


@exercise("normal_equation")
@pytest.mark.points(1, "values")
def test_points_that_are_lifted_lift_the_line(student: Any, draw: Draw) -> None:
    """Where every y is larger by one number, so is the intercept, and the slope stays."""
    (x, y), more = points(draw, 8), 6.5
    before, after = (
        _line(student.normal_equation(x, y)),
        _line(student.normal_equation(x, y + more)),
    )
    if not np.isclose(before[0], after[0], rtol=1e-5):
        raise Wrong("Where every y is larger by one number, your slope changes.")
    if not np.isclose(before[1] + more, after[1], rtol=1e-5):
        raise Wrong("Where every y is larger by one number, your intercept is not.")


@exercise("normal_equation")
@pytest.mark.points(0.5, "errors")
def test_equal_x_are_refused(student: Any, draw: Draw) -> None:
    """Where all x are equal, a ValueError says so."""
    for count in (5, 8):
        x = np.full(count, draw.array(1)[0])
        try:
            student.normal_equation(x, draw.array(count))
        except MissingName:
            raise
        except StudentError as error:
            if not issubclass(getattr(builtins, error.builtin, Exception), ValueError):
                raise Wrong("Equal x raise another error than ValueError.") from None
        else:
            raise Wrong("Points that all have the same x are accepted in silence.")


@exercise("normal_equation")
@pytest.mark.points(0.5, "form")
def test_two_numbers_come_back_as_a_tuple(student: Any, draw: Draw) -> None:
    """Two numbers come back, in a tuple."""
    found = student.normal_equation(*points(draw, 6))
    assert_tuple_of(found, 2)
    if any(number_of(one) is None for one in found):
        raise Wrong("What comes back is not two numbers.")


@exercise("normal_equation")
@pytest.mark.points(0.5, "generality")
def test_x_and_y_are_left_as_they_were(student: Any, draw: Draw) -> None:
    """The arrays x and y still hold the same numbers afterwards."""
    for count in (5, 12):
        assert_inputs_unchanged(student, student.normal_equation(*points(draw, count)))


def _line(found: object) -> tuple[float, float]:
    slope, intercept = (number_of(value_at(found, place)) for place in (0, 1))
    if slope is None or intercept is None:
        raise Wrong("The slope or the intercept that comes back is not a number.")
    return float(slope), float(intercept)
