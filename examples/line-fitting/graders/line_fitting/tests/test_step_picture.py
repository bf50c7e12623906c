"""The picture's walk is gradient descent, worked out by the reference, at every rate."""

from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

from autograder.course.own_code import serve

serve(Path(__file__).parents[3])

from checks.step_picture import RATES, STEPS, Walk  # noqa: E402 - it is the course's
from solutions.line_fitting.reference import (  # noqa: E402
    fit,
    mean_squared_error,
    normal_equation,
    predict,
)

HOURS, HEIGHTS = np.array([1.0, 2.0, 4.0, 5.0]), np.array([17.0, 16.0, 11.0, 10.0])


@pytest.mark.parametrize("rate", RATES)
def test_a_walk_is_that_of_the_reference(rate):
    for steps in STEPS:
        walk = Walk(rate, steps)
        slope, intercept, errors = fit(HOURS, HEIGHTS, rate, steps)
        np.testing.assert_allclose(walk.errors, errors, rtol=1e-7)
        np.testing.assert_allclose(walk.places[-1], (slope, intercept), rtol=1e-6, atol=1e-9)


def test_the_bottom_of_the_valley_is_the_best_line():
    best = normal_equation(HOURS, HEIGHTS)
    least = mean_squared_error(predict(HOURS, *best), HEIGHTS)
    wanted = f"slope {best[0]:.1f}, intercept {best[1]:.1f}, error {least:.3f}."
    assert Walk(0.01, 5).says.endswith(wanted)


def test_from_some_rate_on_it_comes_down_no_more():
    grown = [rate for rate in RATES if Walk(rate, 500).errors[-1] > Walk(rate, 0).errors[0]]
    assert grown == [0.082, 0.083]
    assert "grown since the start" in Walk(0.083, 20).says


@pytest.mark.parametrize("rate", [RATES[0], RATES[-1]])
def test_the_errors_are_drawn(rate):
    figure = Figure(figsize=Walk.size)
    walk = Walk(rate, 20)
    walk.draw(figure)
    np.testing.assert_array_equal(figure.axes[1].lines[0].get_ydata(), walk.errors)
