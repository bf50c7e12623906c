"""Plain numbers as results: Python's own and NumPy's, judged as arrays are."""

import numpy as np
import pytest

from autograder.judging import Wrong, assert_matches, expected
from autograder.judging.behaviour import same
from autograder.judging.properties import assert_inputs_unchanged
from autograder.judging.tolerance import number_of


class Unchanging:
    changed_inputs = ()


def mean(x):
    return np.mean(x)


@pytest.fixture
def wanted():
    return expected(mean, np.array([1.0, 2.0, 4.0], dtype=np.float32))


@pytest.mark.parametrize(
    "right", [7 / 3, np.float64(7 / 3), np.float32(7 / 3), np.array(7 / 3), 7 / 3 + 1e-6]
)
def test_a_right_number_counts_whatever_its_type(right, wanted):
    assert_matches(right, wanted)


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (2.34, "too large"),
        (2, "too small"),
        (-7 / 3, "sign is the wrong way round"),
        (-1.0, "below 0"),
        (0.0, "it is 0"),
        (float("nan"), "NaN"),
        (np.float32("inf"), "infinite"),
        ("2.3333", "a string; a number was promised"),
        (True, "True or False; a number was promised"),
        (None, "nothing (None); a number was promised"),
        (np.array([7 / 3]), "a NumPy array; a number was promised"),
        (1 << 2000, "a number was promised"),
    ],
)
def test_a_wrong_one_is_told_without_a_hidden_value(wrong, words, wanted):
    with pytest.raises(Wrong) as caught:
        assert_matches(wrong, wanted)
    assert words in caught.value.symptom


def test_what_is_no_real_number_is_none():
    assert [number_of(one) for one in (True, 1j, "1", None, [1.0], np.bool_(True))] == [None] * 6


def test_one_mistake_in_another_style_is_the_same_but_for_rounding():
    assert same((0.1 + 0.2, 1.0), (np.float64(0.3), np.float32(1)))
    assert not same(0.3, 0.3001)
    assert same(float("nan"), np.float64("nan"))
    assert not same(1, 1.0)


@pytest.mark.parametrize(
    "result", [1.5, (1.0, np.float32(2)), (1.0, [2.0], np.ones(2)), (1.0, None)]
)
def test_numbers_are_a_result_of_a_call_that_changes_nothing(result):
    assert_inputs_unchanged(Unchanging(), result)


@pytest.mark.parametrize("result", [None, (), "1.5", (None, "1.5")])
def test_nothing_is_none(result):
    with pytest.raises(Wrong, match="gives back neither"):
        assert_inputs_unchanged(Unchanging(), result)
