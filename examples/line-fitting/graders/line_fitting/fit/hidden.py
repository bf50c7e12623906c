"""Hidden graders of 01-line-fitting: fit."""

from typing import Any

import pytest

from autograder.judging import Expected, Wrong, assert_matches, exercise, expected
from autograder.judging.draw import Draw
from autograder.judging.properties import assert_inputs_unchanged
from autograder.judging.tolerance import number_of
from graders.line_fitting.points import points
from graders.line_fitting.several import assert_tuple_of, assert_value_matches, value_at
from solutions.line_fitting import reference

LINE = ("the slope", "the intercept")


@exercise("fit")
@pytest.mark.points(4, "values")
def test_the_line_after_several_steps_is_right(student: Any, draw: Draw) -> None:
    """After several steps the slope and the intercept are those of gradient descent."""
    for count, rate, steps in ((7, 0.05, 6), (11, 0.11, 17), (5, 0.02, 3), (7, 0.05, 6)):
        given = *points(draw, count), rate, steps
        _assert_line(student.fit(*given), expected(reference.fit, *given))


@exercise("fit")
@pytest.mark.points(1, "values")
def test_the_first_step_is_right(student: Any, draw: Draw) -> None:
    """The first step moves both numbers by the rate times the gradient at the start."""
    for count, rate in ((6, 0.07), (10, 0.02)):
        given = *points(draw, count), rate, 1
        _assert_line(student.fit(*given), expected(reference.fit, *given))


@exercise("fit")
@pytest.mark.points(1, "values")
def test_without_a_step_the_line_is_where_it_starts(student: Any, draw: Draw) -> None:
    """With no step at all, slope and intercept are 0."""
    found = student.fit(*points(draw, 8), 0.05, 0)
    for place, what in enumerate(LINE):
        number = number_of(value_at(found, place))
        if number is None or float(number) != 0:
            raise Wrong(f"Without a step, {what} is not 0.")


@exercise("fit")
@pytest.mark.points(1, "values")
def test_many_steps_lead_to_the_best_line(student: Any, draw: Draw) -> None:
    """After many steps the line is as good as the best."""
    x, y = points(draw, 13)
    found = student.fit(x, y, 0.15, 150)
    for place, what in enumerate(LINE):
        number = number_of(value_at(found, place))
        right = float(reference.fit(x, y, 0.15, 150)[place])
        if number is None or abs(float(number) - right) > 1e-3 * max(1.0, abs(right)):
            raise Wrong(f"After many steps, {what} is not that of the best line.")


@exercise("fit")
@pytest.mark.points(1, "values")
def test_the_errors_are_those_of_the_start_and_of_every_step(student: Any, draw: Draw) -> None:
    """The errors begin with that of the start, and one follows for every step."""
    for count, rate, steps in ((7, 0.05, 6), (9, 0.08, 1), (4, 0.03, 11)):
        given = *points(draw, count), rate, steps
        found, wanted = student.fit(*given), expected(reference.fit, *given)
        assert_matches(value_at(found, 2), _part(wanted, 2), "the array of errors")


@exercise("fit")
@pytest.mark.points(0.5, "form")
def test_three_values_come_back(student: Any, draw: Draw) -> None:
    """A slope, an intercept and the errors come back."""
    found = student.fit(*points(draw, 6), 0.05, 4)
    assert_tuple_of(found, 3)
    for place, what in enumerate(LINE):
        if number_of(found[place]) is None:
            raise Wrong(f"What comes back for {what} is not a number.")


@exercise("fit")
@pytest.mark.points(0.5, "generality")
def test_the_points_are_left_as_they_were(student: Any, draw: Draw) -> None:
    """The arrays x and y still hold the same numbers afterwards."""
    for count in (5, 12):
        assert_inputs_unchanged(student, student.fit(*points(draw, count), 0.05, 3))


def _assert_line(found: object, wanted: Expected) -> None:
    for place, what in enumerate(LINE):
        assert_value_matches(found, wanted, place, what)


def _part(wanted: Expected, place: int) -> Expected:
    assert isinstance(wanted.plain, tuple)
    assert isinstance(wanted.exact, tuple)
    return Expected(wanted.plain[place], wanted.exact[place])
