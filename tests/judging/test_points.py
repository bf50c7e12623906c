"""How an exercise's points are shared among its hidden tests."""

from itertools import product

import pytest

from autograder.course.points import added
from autograder.judging.points import share


def test_shares_follow_the_weights_in_whole_tenths() -> None:
    assert share(2, [3, 1]) == [1.5, 0.5]
    assert share(2, [6, 2, 1, 0.5, 1, 0.5, 0.5, 0.5]) == [1.0, 0.3, 0.2, 0.1, 0.1, 0.1, 0.1, 0.1]


@pytest.mark.parametrize("points", [0.5, 1, 2, 2.25, 3, 4, 6, 7.3])
def test_points_are_given_exactly_once_whatever_the_weights_are(points: float) -> None:
    for weights in product((0.25, 1, 3, 11), repeat=4):
        given = share(points, weights)
        assert added(given) == points
        assert sum(round(one * 100) for one in given) == round(points * 100)
        assert all(one >= 0.01 for one in given)
        assert all(float(f"{one:.2f}") == one for one in given), "each prints as it is"


def test_the_lightest_test_is_worth_a_tenth() -> None:
    given = share(2, [1000, 1, 1])
    assert given == [1.8, 0.1, 0.1]


def test_a_test_without_weight_is_worth_nothing() -> None:
    assert share(1, [0, 2, 0, 2]) == [0, 0.5, 0, 0.5]


def test_of_equal_remainders_the_earlier_test_gets_the_tenth() -> None:
    assert share(1, [1, 1, 1]) == [0.4, 0.3, 0.3]


def test_more_tests_than_tenths_are_worth_hundredths() -> None:
    given = share(1, [1] * 12)
    assert added(given) == 1
    assert set(given) == {0.08, 0.09}


def test_points_that_are_no_tenths_are_shared_in_hundredths() -> None:
    assert share(0.25, [1, 1]) == [0.13, 0.12]


@pytest.mark.parametrize(
    ("points", "tests", "fixed"), [(1, 5, 0.1), (2, 8, 0.1), (3, 8, 0.2), (4, 9, 0.2), (6, 22, 0.3)]
)
def test_error_handling_is_worth_a_twentieth_and_a_tenth_at_least(
    points: float, tests: int, fixed: float
) -> None:
    for weight in (0.1, 1, 50):  # whatever its own weight is
        given = share(points, [weight, *[1] * tests], {0})
        assert given[0] == fixed
        assert added(given) == points


def test_two_tests_of_error_handling_share_what_it_is_worth() -> None:
    assert share(4, [1, 1, 5, 5], {0, 1}) == [0.1, 0.1, 1.9, 1.9]


def test_an_exercise_in_error_handling_alone_keeps_its_points() -> None:
    assert share(1, [1, 1], {0, 1}) == [0.5, 0.5]


def test_more_tests_than_hundredths_are_told_as_an_error() -> None:
    with pytest.raises(ValueError, match=r"0\.05 points cannot be shared among 6 tests"):
        share(0.05, [1] * 6)
    with pytest.raises(ValueError, match="needs a test that carries weight"):
        share(1, [0, 0])
