"""Symptoms: what is said of values that no mistake of the bank explains."""

import pytest
import torch

from autograder.judging import describe
from autograder.judging.patterns import of_values

BOUND = 1e-6
EXACT = torch.randn(2, 4, 5, generator=torch.Generator().manual_seed(3), dtype=torch.float64)


def changed_rows(*rows: int) -> torch.Tensor:
    actual = EXACT.clone()
    actual[:, list(rows)] += torch.arange(1.0, 6.0, dtype=torch.float64)
    return actual


def changed_columns(*columns: int) -> torch.Tensor:
    actual = EXACT.clone()
    actual[..., list(columns)] *= 3.5
    return actual


TOLD = [
    (changed_rows(0), "the first of its rows is wrong, the others are right"),
    (changed_rows(3), "the last of its rows is wrong, the others are right"),
    (changed_rows(1, 2, 3), "the first of its rows is right, those after it are wrong"),
    (changed_rows(0, 1, 2), "the last of its rows is right, those before it are wrong"),
    (changed_rows(2, 3), "the first of its rows are right, the later ones are wrong"),
    (changed_rows(0, 1), "the first of its rows are wrong, the later ones are right"),
    (changed_rows(0, 2), "some of its rows are right and others are wrong"),
    (changed_columns(0), "the first of its columns is wrong, the others are right"),
    (
        torch.cat([EXACT[:1], EXACT[1:] ** 3 + 4]),
        "the last of its matrices is wrong, the others are right",
    ),
    (EXACT + 3, "every value is off by the same amount"),
    (EXACT.mean(-2, keepdim=True).expand(2, 4, 5), "all of its rows are the same"),
    (
        EXACT * torch.tensor([[2.0], [3.0], [4.0], [5.0]]),
        "each row is too large or too small by a factor of its own",
    ),
    (
        EXACT + torch.tensor([[2.0], [3.0], [4.0], [5.0]]),
        "each row is off by an amount of its own",
    ),
    (2 * EXACT, "every value is too large, all by the same factor"),
    (EXACT**3 + 4, "it has the right shape, but its numbers are wrong"),
]


@pytest.mark.parametrize(("actual", "words"), TOLD, ids=[words for _, words in TOLD])
def test_wrong_values_are_told_by_their_pattern(actual, words):
    assert of_values(actual, EXACT, BOUND) == words


def test_a_vector_is_told_by_its_values():
    exact = EXACT[0, 0]
    actual = torch.cat([exact[:4], exact[4:] + 2])
    assert (
        of_values(actual, exact, BOUND) == "the last of its values is wrong, the others are right"
    )


def test_a_symptom_that_tells_little_is_followed_by_one_that_tells_more():
    vague, other = (
        "Your result is wrong: it has the right shape, but its numbers are wrong.",
        "Your gradient is wrong: it has the right shape, but its numbers are wrong.",
    )
    told = describe([vague, other, "your code changes a tensor", "Something else."])
    assert told == f"{vague} Your code changes a tensor."
    assert describe([vague, other]) == vague
    assert describe(["Your rows do not sum to one.", "Another."]) == "Your rows do not sum to one."
