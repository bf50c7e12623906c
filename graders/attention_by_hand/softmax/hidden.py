"""Hidden graders of 01-attention-by-hand: softmax."""

from functools import partial
from typing import Any

import numpy as np
import pytest

from autograder.judging import Wrong, assert_matches, exercise, expected
from autograder.judging.draw import Draw
from autograder.judging.properties import (
    assert_agree,
    assert_gives_numbers,
    assert_leaves_inputs,
    assert_varied,
)
from graders.attention_by_hand.probes import computed_by_torch
from graders.attention_by_hand.steps import steps
from solutions.attention_by_hand import reference

Lead = tuple[int, ...]


@exercise("softmax")
@pytest.mark.points(3, "values")
def test_shares_are_exponentials_over_their_sum(student: Any, draw: Draw, lead: Lead) -> None:
    """Along the last axis, the shares are exp(x) divided by the sum of exp(x)."""
    # The first length once more, with new values that show a result that was kept.
    for x in (draw.array(*lead, 7), draw.array(*lead, 5), draw.array(*lead, 7)):
        _assert_right(student, x)
    _assert_right(student, _rows(steps(draw), lead))


@exercise("softmax")
@pytest.mark.points(2, "values")
def test_axis_says_along_which_axis_shares_sum_to_one(student: Any, draw: Draw) -> None:
    """`axis` is obeyed: the shares sum to one along that axis, whichever it is."""
    for z in (draw.array(8), draw.array(5, 7), draw.array(2, 3, 6)):
        _assert_right(student, z)
    x, y = draw.array(5, 7), draw.array(2, 3, 6)
    assert_matches(student.softmax(x, axis=0), expected(reference.softmax, x, axis=0))
    assert_matches(student.softmax(y, 1), expected(reference.softmax, y, 1))
    for z, axis in ((draw.array(4, 3, 5), -2), (draw.array(3, 1, 5), -1)):
        assert_matches(student.softmax(z, axis), expected(reference.softmax, z, axis))


@exercise("softmax")
@pytest.mark.points(2, "numerics")
def test_large_scores_give_finite_shares(student: Any, draw: Draw) -> None:
    """Scores of ten thousand, and rows far apart from each other, give the right finite shares."""
    x = np.round(64 * draw.array(6, 5)) / 64  # few digits, so that float32 could hold them too
    x[:3] *= 1e4
    x[3:] += np.array([[1000.0], [-1000.0], [0.0]])
    _assert_right(student, x)


@exercise("softmax")
@pytest.mark.points(1, "values")
def test_adding_a_constant_to_the_scores_changes_nothing(
    student: Any, draw: Draw, lead: Lead
) -> None:
    """Adding one number to all scores of a row leaves the shares as they were."""
    x = draw.array(*lead, 9)
    shares, shifted = student.softmax(x), student.softmax(x + draw.array(*lead, 1, scale=3.0))
    for result in (shares, shifted):
        assert_varied(result, x)
    symptom = "Adding one number to all scores of a row changes its shares."
    assert_agree(shares, shifted, symptom)


@exercise("softmax")
@pytest.mark.points(1.5, "values")
def test_numpy_works_out_the_shares(student: Any, draw: Draw, lead: Lead) -> None:
    """NumPy does the work; nothing is left to PyTorch, which has a softmax of its own."""
    for x in (draw.array(*lead, 7), draw.array(*lead, 5)):
        shares, by_torch = computed_by_torch(student, x)
        if by_torch:
            raise Wrong("PyTorch works out your shares; NumPy was asked for.")
        assert_gives_numbers(shares)


@exercise("softmax")
@pytest.mark.points(0.5, "numerics")
def test_dtype_is_kept(student: Any, draw: Draw, lead: Lead) -> None:
    """Scores in float32 and in float16 give the right shares in the same dtype."""
    for dtype in (np.float32, np.float16):
        _assert_right(student, draw.array(*lead, 8, dtype=dtype))


@exercise("softmax")
@pytest.mark.points(0.5, "generality")
@pytest.mark.every_lead
def test_scores_are_left_as_they_were(student: Any, draw: Draw, lead: Lead) -> None:
    """The array that is passed in still holds the same values afterwards."""
    given = (draw.array(*lead, 4), draw.array(*lead, 5, scale=1e3))
    assert_leaves_inputs(student, *(partial(student.softmax, x) for x in given))


def _rows(rows: np.ndarray, lead: Lead) -> np.ndarray:
    """Rows behind these leading dimensions: a single one where there are none."""
    one = rows if lead else rows[0]
    return np.ascontiguousarray(np.broadcast_to(one, (*lead[:-1], *one.shape)))


def _assert_right(student: Any, x: np.ndarray) -> None:
    assert_matches(student.softmax(x), expected(reference.softmax, x))
