"""Visible checks of 01-line-fitting."""

from collections.abc import Callable
from typing import Any

import numpy as np

from checks.kit.describing import form_text
from checks.kit.examples import example
from checks.kit.expectation import (
    Mismatch,
    exercise,
    expect,
    expect_inputs_unchanged,
    expect_number,
    expect_value_error,
    same,
)
from checks.kit.local_student import LocalStudent
from checks.kit.pictures import Bars

_HOURS = np.array([1.0, 2.0, 4.0, 5.0])
_HEIGHTS = np.array([17.0, 16.0, 11.0, 10.0])
_X = np.array([-1.5, 0.0, 0.5, 2.0, 3.5, 6.0])
_Y = np.array([2.0, 1.0, 3.0, 2.5, 5.0, 4.5])
_PARTS = "the part for the slope", "the part for the intercept"
_LINE = "the slope", "the intercept"


@example(
    "predict",
    picture=Bars(
        "predict(x, -2, 20)",
        ("1", "2", "4", "5"),
        "hours",
        "predicted height in cm",
        sum_told=False,
    ),
)
def heights_by_a_guess(student: LocalStudent) -> Any:
    """What the guess says of the candle."""
    return student.predict(_HOURS, -2.0, 20.0)


@example(
    "gradient",
    picture=Bars(
        "gradient(x, y, -2, 20)",
        ("slope", "intercept"),
        "part of the gradient",
        "derivative",
        sum_told=False,
    ),
)
def gradient_of_a_guess(student: LocalStudent) -> Any:
    """Both parts of the gradient at the guess."""
    return _as_array(student.gradient(_HOURS, _HEIGHTS, -2.0, 20.0))


@example(
    "fit",
    picture=Bars(
        "errors of fit(x, y, 0.01, 7)",
        ("start", *map(str, range(1, 8))),
        "after step",
        "mean squared error",
        sum_told=False,
    ),
)
def errors_of_seven_steps(student: LocalStudent) -> Any:
    """The errors at the start and after each of seven steps."""
    found = student.fit(_HOURS, _HEIGHTS, 0.01, 7)
    return _as_array(found[2]) if isinstance(found, (tuple, list)) and len(found) == 3 else found


@exercise("predict")
def test_the_table_above(student: LocalStudent) -> None:
    """A slope of -2 and an intercept of 20 give the heights 18, 16, 12 and 10."""
    found = student.predict(_HOURS, -2.0, 20.0)
    expect(found, np.array([18.0, 16.0, 12.0, 10.0]), "(points,)", _line_is_special)
    expect_inputs_unchanged(student)


@exercise("predict")
def test_other_points(student: LocalStudent) -> None:
    """Six other points, some of them at or below 0."""
    wanted = np.array([0.3754, 1.1254, 1.3754, 2.1254, 2.8754, 4.1254])
    expect(student.predict(_X, 0.5, 1.1254), wanted, "(points,)", None)


@exercise("predict")
def test_the_dtype_stays(student: LocalStudent) -> None:
    """An array of float32 gives an array of float32."""
    x = np.array([0.5, 1.5, 4.0], dtype=np.float32)
    wanted = np.array([2.5, 5.5, 13.0], dtype=np.float32)
    expect(student.predict(x, 3.0, 1.0), wanted, "(points,)", None)


@exercise("mean_squared_error")
def test_the_guess(student: LocalStudent) -> None:
    """Two misses of 1 and two of 0 give 0.5."""
    found = student.mean_squared_error(np.array([18.0, 16.0, 12.0, 10.0]), _HEIGHTS)
    expect_number(found, 0.5, "the mean of the squares", None)
    expect_inputs_unchanged(student)


@exercise("mean_squared_error")
def test_misses_on_both_sides(student: LocalStudent) -> None:
    """Misses of 1, -2, 3, -0.5, 2 and 0 give 3.0417."""
    predicted = _Y + np.array([1.0, -2.0, 3.0, -0.5, 2.0, 0.0])
    found = student.mean_squared_error(predicted, _Y)
    expect_number(found, 18.25 / 6, "the mean of the squares", _error_is_special)


@exercise("mean_squared_error")
def test_a_line_that_is_too_high_everywhere(student: LocalStudent) -> None:
    """Predictions that are all 3 too high have an error of 9."""
    found = student.mean_squared_error(_X + 3.0, _X)
    expect_number(found, 9.0, "the mean of the squares", None)


@exercise("mean_squared_error")
def test_a_line_that_is_nearly_right(student: LocalStudent) -> None:
    """Misses of a few hundredths have an error of 0.000833."""
    misses = np.array([0.01, -0.02, 0.04, -0.03, 0.04, 0.02])
    found = student.mean_squared_error(_Y + misses, _Y)
    expect_number(found, 0.005 / 6, "the mean of the squares", None)


@exercise("gradient")
def test_the_guess_of_the_table(student: LocalStudent) -> None:
    """At a slope of -2 and an intercept of 20 the gradient is 2.5 and 1."""
    found = student.gradient(_HOURS, _HEIGHTS, -2.0, 20.0)
    _expect_numbers(found, (2.5, 1.0), _PARTS, _gradient_is_special)
    expect_inputs_unchanged(student)


@exercise("gradient")
def test_a_line_that_is_too_low(student: LocalStudent) -> None:
    """At slope 0.5 and intercept 0.25, six other points: both parts are below 0."""
    found = student.gradient(_X, _Y, 0.5, 0.25)
    residuals = 0.5 * _X + 0.25 - _Y
    wanted = 2 * float(residuals @ _X) / 6, 2 * float(residuals.sum()) / 6
    _expect_numbers(found, wanted, _PARTS, _gradient_is_special)


@exercise("gradient")
def test_a_line_near_the_best(student: LocalStudent) -> None:
    """Close to the candle's best line the gradient is small."""
    found = student.gradient(_HOURS, _HEIGHTS, -1.8997, 19.1983)
    _expect_numbers(found, (-0.0033, -0.0016), _PARTS, _gradient_is_special)


@exercise("fit")
def test_one_step(student: LocalStudent) -> None:
    """One step from zero at a rate of 0.01 leads to 0.715 and 0.27."""
    slope, intercept, _ = _three(student.fit(_HOURS, _HEIGHTS, 0.01, 1))
    _expect_numbers((slope, intercept), (0.715, 0.27), _LINE, None)
    expect_inputs_unchanged(student)


@exercise("fit")
def test_three_steps(student: LocalStudent) -> None:
    """Three steps at a rate of 0.01, each from the line that the one before has left."""
    slope, intercept, _ = _three(student.fit(_HOURS, _HEIGHTS, 0.01, 3))
    _expect_numbers((slope, intercept), (1.6474975, 0.676905), _LINE, None)


@exercise("fit")
def test_errors_of_three_steps(student: LocalStudent) -> None:
    """Three steps have four errors, the first of them 191.5."""
    *_, errors = _three(student.fit(_HOURS, _HEIGHTS, 0.01, 3))
    wanted = np.array([191.5, 140.1977875, 110.7732436, 93.790742])
    try:
        expect(errors, wanted, "(steps + 1,)", _errors_are_special)
    except Mismatch as wrong:
        came_back = wrong.came_back or form_text(errors)
        raise Mismatch(f"errors: {came_back}", f"errors: {wrong.expected}", wrong.says) from None


@exercise("fit")
def test_four_hundred_steps(student: LocalStudent) -> None:
    """Four hundred steps at a rate of 0.05 lead close to the best line: -1.8987 and 19.195."""
    slope, intercept, _ = _three(student.fit(_HOURS, _HEIGHTS, 0.05, 400))
    _expect_numbers((slope, intercept), (-1.8986789, 19.1950252), _LINE, None)


@exercise("normal_equation")
def test_the_candle(student: LocalStudent) -> None:
    """The candle's best line has a slope of -1.9 and an intercept of 19.2."""
    found = student.normal_equation(_HOURS, _HEIGHTS)
    _expect_numbers(found, (-1.9, 19.2), _LINE, None)
    expect_inputs_unchanged(student)


@exercise("normal_equation")
def test_points_on_a_line(student: LocalStudent) -> None:
    """Points on a line of slope 0.75 and intercept -3 give that line."""
    found = student.normal_equation(_X, 0.75 * _X - 3.0)
    _expect_numbers(found, (0.75, -3.0), _LINE, None)


@exercise("normal_equation")
def test_six_points_beside_a_line(student: LocalStudent) -> None:
    """Six points that lie on no line."""
    found = student.normal_equation(_X, _Y)
    _expect_numbers(found, (0.4536082, 2.2061856), _LINE, None)


@exercise("normal_equation")
def test_all_x_equal(student: LocalStudent) -> None:
    """Five points at the same x have no best line."""
    x = np.full(5, 0.7)
    expect_value_error(lambda: student.normal_equation(x, np.arange(5.0)), ())


def _expect_numbers(
    found: Any,
    wanted: tuple[float, float],
    names: tuple[str, str],
    hint: Callable[[np.ndarray], str | None] | None,
) -> None:
    """State which two numbers must come back, as a tuple."""
    if not isinstance(found, (tuple, list)) or len(found) != 2:
        says = f"A tuple of two numbers is wanted: {names[0]}, then {names[1]}."
        raise Mismatch(form_text(found), "a tuple of two numbers", says)
    pair = _as_array(found)
    special = None
    if isinstance(pair, np.ndarray) and hint is not None:
        special = hint(pair)
    if special is None and isinstance(pair, np.ndarray) and same(pair[::-1], wanted):
        special = "The two are there, the other way round. Which is promised first?"
    for number, right, name in zip(found, wanted, names, strict=True):
        try:
            expect_number(number, right, name)
        except Mismatch as wrong:
            told = f"{name}: {wrong.came_back}", f"{name}: {wrong.expected}"
            raise Mismatch(*told, special or wrong.says) from None


def _three(found: Any) -> Any:
    if isinstance(found, (tuple, list)) and len(found) == 3:
        return found
    says = "Three things are promised: the slope, the intercept, and the array of errors."
    raise Mismatch(form_text(found), "slope, intercept and errors", says)


def _as_array(found: Any) -> Any:
    """The numbers that came back as an array, to be drawn; what holds none stays as it is."""
    try:
        return np.array(found, dtype=np.float64)
    except (TypeError, ValueError):
        return found


def _line_is_special(found: np.ndarray) -> str | None:
    if same(found, 20.0 * _HOURS - 2.0):
        return "At x = 0 your line is -2 high. Which of the two numbers should stand there?"
    if same(found, -2.0 * _HOURS):
        return "Your line goes through 0 at x = 0. What is its intercept for?"
    return None


def _error_is_special(found: float) -> str | None:
    if np.isclose(found, 18.25):
        return "These are the squares together. How many points are there?"
    if np.isclose(found, 8.5 / 6):
        return "This is the mean of the misses' sizes. What should happen to each miss first?"
    if np.isclose(found, 3.5 / 6) or np.isclose(found, (3.5 / 6) ** 2):
        return "Misses above and below take each other away here. When do you square?"
    if np.isclose(found, np.sqrt(18.25 / 6)):
        return "This is a root. The mean squared error is what stands below it."
    return None


def _gradient_is_special(found: np.ndarray) -> str | None:
    if same(found, (1.25, 0.5)):
        return "Both parts are half of what they should be. What does a square leave behind?"
    if same(found, (-2.5, -1.0)):
        return "Both signs are the wrong way round. What is taken from what in a miss?"
    if same(found, (10.0, 4.0)):
        return "These are sums over the points. How many points are there?"
    return None


def _errors_are_special(found: np.ndarray) -> str | None:
    if found.shape == (3,):
        return "Three steps have four errors: the line at the start has one as well."
    return None
