"""The reference solutions of 01 against independent ones, and against the figures of its text."""

import numpy as np
import pytest

from solutions.line_fitting.reference import (
    fit,
    gradient,
    mean_squared_error,
    normal_equation,
    predict,
)

HOURS = np.array([1.0, 2.0, 4.0, 5.0])
HEIGHTS = np.array([17.0, 16.0, 11.0, 10.0])


@pytest.fixture
def some_points():
    numbers = np.random.default_rng(3)
    x = numbers.normal(size=12)
    return x, 1.5 * x - 2 + numbers.normal(size=12)


@pytest.mark.parametrize("dtype", [np.float64, np.float32, np.float16])
def test_predictions_are_polyvals_in_the_dtype_of_x(dtype):
    found = predict(HOURS.astype(dtype), -2.0, 20.0)
    assert found.dtype == dtype
    np.testing.assert_array_equal(found, np.polyval([-2.0, 20.0], HOURS))


def test_the_error_of_the_guess_is_as_worked_out_by_hand():
    assert mean_squared_error(predict(HOURS, -2.0, 20.0), HEIGHTS) == 0.5


def test_the_gradient_of_the_guess_is_as_worked_out_by_hand():
    assert gradient(HOURS, HEIGHTS, -2.0, 20.0) == (2.5, 1.0)


def test_the_gradient_is_what_nudges_find(some_points):
    x, y = some_points

    def error(slope, intercept):
        return np.mean((slope * x + intercept - y) ** 2)

    nudge = 1e-6
    by_nudges = (
        (error(0.3 + nudge, 0.7) - error(0.3 - nudge, 0.7)) / (2 * nudge),
        (error(0.3, 0.7 + nudge) - error(0.3, 0.7 - nudge)) / (2 * nudge),
    )
    np.testing.assert_allclose(gradient(x, y, 0.3, 0.7), by_nudges, rtol=1e-6)


def test_the_first_step_is_as_worked_out_by_hand():
    slope, intercept, errors = fit(HOURS, HEIGHTS, 0.01, 1)
    assert (slope, intercept) == pytest.approx((0.715, 0.27))
    assert errors == pytest.approx([191.5, 140.1978], abs=1e-3)


def test_descent_ends_at_polyfits_line(some_points):
    x, y = some_points
    slope, intercept, errors = fit(x, y, 0.1, 500)
    np.testing.assert_allclose((slope, intercept), np.polyfit(x, y, 1), rtol=1e-6)
    assert errors.shape == (501,)
    assert (np.diff(errors) < 1e-12).all()


def test_the_best_line_of_the_candle_is_as_worked_out_by_hand():
    assert normal_equation(HOURS, HEIGHTS) == pytest.approx((-1.9, 19.2))


def test_the_best_line_is_polyfits(some_points):
    x, y = some_points
    assert normal_equation(x, y) == pytest.approx(tuple(np.polyfit(x, y, 1)))


def test_equal_x_are_refused():
    with pytest.raises(ValueError, match="equal"):
        normal_equation(np.full(5, 0.7), np.arange(5.0))


@pytest.mark.parametrize(("rate", "falls"), [(0.002, True), (0.05, True), (0.083, False)])
def test_the_three_rates_of_the_text_fall_and_rise_as_it_says(rate, falls):
    *_, errors = fit(HOURS, HEIGHTS, rate, 60)
    assert ((np.diff(errors) < 0) == falls).all()
