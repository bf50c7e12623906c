"""What is said of wrong values is true of them, whichever known mistake or mutant gave them."""

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from grading import Answer, grade

from autograder.bank import all_mistakes, mistakes
from autograder.checks.kit.values import Array
from autograder.judging import patterns
from autograder.judging.answers import reference_source, source_of
from autograder.judging.plugin import Found, Graders
from autograder.judging.tolerance import wide
from autograder.proof.mutants import mutants

QUICK = ("scaled_scores", "weighted_values", "masked_softmax", "causal_attention")
EVERY = tuple(dict.fromkeys(one.exercise for one in all_mistakes()))
Said = tuple[str, np.ndarray, np.ndarray]


def near(one: np.ndarray, other: np.ndarray, part: float = 1e-3) -> bool:
    """Whether nobody would tell the two apart."""
    size = np.abs(other).max(initial=0.0, where=np.isfinite(other))
    return one.shape == other.shape and bool(
        ((np.abs(one - other) <= part * size) | (one == other)).all()
    )


def parts(found: np.ndarray, right: np.ndarray, words: str) -> list[tuple[bool, bool]]:
    """Of each row, column, matrix or value in turn: whether it may be called right, and wrong."""
    axes = {"rows": -2, "columns": -1, "matrices": -3, "values": -1}
    axis = next(axis for part, axis in axes.items() if part in words)
    pairs = zip(np.moveaxis(found, axis, 0), np.moveaxis(right, axis, 0), strict=True)
    return [(near(*pair), not near(*pair, 1e-6)) for pair in pairs]


def is_run(found: np.ndarray, right: np.ndarray, words: str) -> bool:
    """Whether the parts that are called right are, and those that are called wrong are not."""
    told = parts(found, right, words)
    if "some of its" in words:
        return any(good for good, _ in told) and any(bad for _, bad in told)
    first_is_right = words.startswith("the first") == bool(re.search("(is|are) right,", words))
    ordered = told if first_is_right else told[::-1]
    return any(
        all(good for good, _ in ordered[:place]) and all(bad for _, bad in ordered[place:])
        for place in range(1, len(ordered))
    )


def by_factor(found: np.ndarray, right: np.ndarray, words: str) -> bool:
    sizes = np.abs(found).sum(), np.abs(right).sum()
    share = sizes[0] / sizes[1]
    return (share > 1) == ("large" in words) and near(found, share * right, 0.06)


def same_rows(found: np.ndarray) -> bool:
    return near(found, np.broadcast_to(found[..., :1, :], found.shape))


def row_factors_hold(found: np.ndarray, right: np.ndarray) -> bool:
    share = np.abs(found).sum(-1, keepdims=True) / np.abs(right).sum(-1, keepdims=True)
    return near(found, share * right, 1e-2)


CLAIMS = {
    "NaN": lambda found, right, words: np.isnan(found).any() and not np.isnan(right).any(),
    "infinity": lambda found, right, words: np.isinf(found).any() and not np.isinf(right).any(),
    "do not": lambda found, right, words: (np.abs(found.sum(-1) - 1) > 0.01).any(),
    "logarithm": lambda found, right, words: near(np.exp(found).sum(-1), right.sum(-1), 0.02),
    "zero everywhere": lambda found, right, words: not found.any(),
    "sign is": lambda found, right, words: near(found, -right, 0.06),
    "transpose": lambda found, right, words: near(found, right.swapaxes(-1, -2), 0.06),
    "same factor": by_factor,
    "wrong places": lambda found, right, words: near(
        np.sort(found, axis=None), np.sort(right, axis=None)
    ),
    "same amount": lambda found, right, words: np.ptp(found - right) <= 1e-3 * abs(right).max(),
    "close": lambda found, right, words: near(found, right),
    "of its rows are the same": lambda found, right, words: same_rows(found),
    "factor of its own": lambda found, right, words: row_factors_hold(found, right),
    "amount of its own": lambda found, right, words: (
        np.ptp(found - right, axis=-1).max() <= 1e-3 * abs(right).max()
    ),
    "of its values are right": lambda found, right, words: (abs(found - right) < 1e-3).any(),
    "of its": is_run,
    patterns.NO_PATTERN: lambda found, right, words: not near(found, right, 1e-6),
}
"""What each pattern says of the values found and the right ones, found by a part of its words."""


def is_true(said: Said) -> bool:
    words, found, right = said
    with np.errstate(all="ignore"):
        holds = next(holds for part, holds in CLAIMS.items() if part in words)
        return bool(holds(found, right, words))


def untrue(answers: list[Answer], monkeypatch: pytest.MonkeyPatch) -> tuple[int, list[str]]:
    """How many sentences are said of the wrong values of these answers, and those not true."""
    said: list[tuple[str, Said]] = []
    of_values, now = patterns.of_values, [""]

    def watched(actual: Array, exact: Array, bound: float) -> str:
        words = of_values(actual, exact, bound)
        said.append((now[0], (words, wide(actual), wide(exact))))
        return words

    class Noting(Graders):
        def run(self, exercise: str, student_of: Callable[[], Any]) -> list[Found]:
            now[0] = exercise
            return super().run(exercise, student_of)

    monkeypatch.setattr(patterns, "of_values", watched)
    grade(answers, b"symptoms", Noting)
    return len(said), [f"{exercise}: {one[0]}" for exercise, one in said if not is_true(one)]


def known(exercise: str) -> list[Answer]:
    return [Answer(exercise, one.slug, source_of(one)) for one in mistakes(exercise)]


def changed(exercise: str) -> list[Answer]:
    """Every fourth mutant of the reference; a Triton kernel's may write where no memory is."""
    if exercise == "triton_attention":
        return []
    found = mutants(reference_source(exercise))[::4]
    return [Answer(exercise, str(one), one.source) for one in found]


@pytest.mark.parametrize("exercise", QUICK)
def test_what_is_said_of_known_mistakes_is_true(
    exercise: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    count, lies = untrue(known(exercise)[::2], monkeypatch)
    assert count > 10
    assert lies == []


@pytest.mark.slow
@pytest.mark.parametrize(("of", "every"), [(known, 24), (changed, 12)])
def test_what_is_said_of_any_known_mistake_or_mutant_is_true(
    of: Callable[[str], list[Answer]],
    every: int,
    pytestconfig: pytest.Config,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of a part of them, or of all with --in-full."""
    answers = [answer for exercise in EVERY for answer in of(exercise)]
    chosen = answers if pytestconfig.getoption("in_full") else answers[::every]
    count, lies = untrue(chosen, monkeypatch)
    assert count > 40
    assert lies == []


@pytest.mark.parametrize(
    "said",
    [
        "the first of its rows are wrong, the later ones are right",
        "it is close, but further off than rounding explains",
        "it is the transpose of the right one",
        "every value is too large, all by the same factor",
    ],
)
def test_a_sentence_that_is_not_true_is_found(said: str) -> None:
    right = np.arange(1.0, 13.0).reshape(3, 4)
    assert not is_true((said, 1 / right, right))
