"""Hidden graders of 01-line-fitting: predict."""

from typing import Any

import numpy as np
import pytest

from autograder.judging import assert_matches, exercise, expected
from autograder.judging.draw import Draw
from autograder.judging.properties import assert_agree, assert_inputs_unchanged, assert_varied
from graders.line_fitting.points import line
from solutions.line_fitting import reference


@exercise("predict")
@pytest.mark.points(4, "values")
def test_each_prediction_is_slope_times_x_plus_intercept(student: Any, draw: Draw) -> None:
    """Each point's prediction is the slope times its x, plus the intercept."""
    for count in (7, 11, 3, 7):  # a size once more, whose new values show a result that was kept
        x, (slope, intercept) = draw.array(count), line(draw)
        wanted = expected(reference.predict, x, slope, intercept)
        assert_matches(student.predict(x, slope, intercept), wanted)


@exercise("predict")
@pytest.mark.points(1, "values")
def test_a_higher_intercept_lifts_the_whole_line(student: Any, draw: Draw) -> None:
    """A higher intercept lifts every prediction by as much."""
    x, (slope, intercept), more = draw.array(9), line(draw), 3.5
    low, high = (student.predict(x, slope, one) for one in (intercept, intercept + more))
    for result in (low, high):
        assert_varied(result, x)
    symptom = "A higher intercept does not lift every prediction by as much."
    assert_agree(low + more, high, symptom)


@exercise("predict")
@pytest.mark.points(1, "generality")
def test_a_level_line_and_a_single_point_will_do(student: Any, draw: Draw) -> None:
    """A slope of 0 gives the intercept at every point, and one point has one prediction."""
    _, intercept = line(draw)
    for x, slope in ((draw.array(6), 0.0), (draw.array(1), 1.5)):
        wanted = expected(reference.predict, x, slope, intercept)
        assert_matches(student.predict(x, slope, intercept), wanted)


@exercise("predict")
@pytest.mark.points(0.5, "numerics")
def test_predictions_have_the_dtype_of_x(student: Any, draw: Draw) -> None:
    """An x in float32 or float16 gives the right predictions in the same dtype."""
    for dtype in (np.float32, np.float16):
        x, (slope, intercept) = draw.array(8, dtype=dtype), line(draw)
        wanted = expected(reference.predict, x, slope, intercept)
        assert_matches(student.predict(x, slope, intercept), wanted)


@exercise("predict")
@pytest.mark.points(0.5, "generality")
def test_x_is_left_as_it_was(student: Any, draw: Draw) -> None:
    """The array x still holds the same numbers afterwards."""
    for count in (5, 10):
        assert_inputs_unchanged(student, student.predict(draw.array(count), *line(draw)))
