"""How wrong floating values differ from the right ones: what is said, and when it is true.

Each pattern is a sentence and what must hold for it to be said. The first that holds is said; where
none does, no more than that the values are wrong. In half precision a bound is so wide that a value
may pass for right by chance: nothing is said there of which are right.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from autograder.checks.kit.values import Array, values
from autograder.judging.tolerance import wide

NO_PATTERN = "it has the right shape, but its numbers are wrong"
CLOSE = 1e-3
"""How far from the right values others lie at most that are called close, relative to their row."""
ONE = 0.02
"""How far from one a sum may lie."""
COARSE = ("float16", "bfloat16")


def of_values(actual: Array, exact: Array, bound: float) -> str:
    """How floating values differ from the right ones of the same shape.

    Args:
        actual: the student's values.
        exact: the right ones.
        bound: the largest difference that rounding explains.
    """
    beside = Beside(wide(actual), wide(exact), bound, values().dtype_text(actual) in COARSE)
    with np.errstate(all="ignore"):  # what is no number agrees with nothing
        return next(_said(beside), NO_PATTERN)


@dataclass(frozen=True)
class Beside:
    """A wrong result beside the right one.

    Attributes:
        found: the student's values, in float64.
        right: the right ones, of the same shape.
        bound: the largest difference that rounding explains.
        coarse: whether the values were rounded to half precision.
    """

    found: np.ndarray
    right: np.ndarray
    bound: float
    coarse: bool

    @cached_property
    def apart(self) -> np.ndarray:
        """How far each value lies from the right one."""
        return np.abs(self.found - self.right)

    @cached_property
    def row_scale(self) -> np.ndarray:
        """The largest right magnitude in each value's row."""
        return np.broadcast_to(np.abs(self.right).max(-1, keepdims=True), self.right.shape)

    @cached_property
    def wrong(self) -> np.ndarray:
        """Which values are wrong."""
        return ~(self.apart <= self.bound)

    @cached_property
    def surely_right(self) -> np.ndarray:
        """Which values are right also by the measure of their own row, however small it is."""
        share = np.maximum(self.row_scale / np.abs(self.right).max(), CLOSE)
        return np.asarray(self.apart <= self.bound * share)

    def same(self, left: np.ndarray, right: np.ndarray) -> bool:
        """Whether two arrays are the same but for rounding."""
        return left.shape == right.shape and bool((np.abs(left - right) <= self.bound).all())


def _said(beside: Beside) -> Iterator[str]:
    """All that is true of a wrong result, the most telling first."""
    yield from (words for words, holds in ODD_NUMBERS if holds(beside))
    if _should_share_one(beside):
        yield from (words for words, holds in SUMS if holds(beside))
    yield from (words for words, holds in WHOLE if holds(beside))
    if beside.coarse:
        return
    yield from (words for words, holds in FINE if holds(beside))
    if words := _of_places(beside):
        yield words
    yield from (words for words, holds in LAST if holds(beside))


Pattern = tuple[str, Callable[[Beside], bool]]


def _alone(test: Callable[[np.ndarray], np.ndarray]) -> Callable[[Beside], bool]:
    """Whether something appears in the result that is not in the right one."""
    return lambda one: bool(test(one.found).any() and not test(one.right).any())


ODD_NUMBERS: tuple[Pattern, ...] = (
    ("NaN appears in it", _alone(np.isnan)),
    ("infinity appears in it", _alone(np.isinf)),
)


def _ones(sums: np.ndarray) -> bool:
    return bool((np.abs(sums - 1) < ONE).all())


def _should_share_one(one: Beside) -> bool:
    """Whether it should be weights, whose rows sum to one, and is not."""
    if one.right.ndim == 0 or (one.right < 0).any():
        return False
    return _ones(one.right.sum(-1)) and not _ones(one.found.sum(-1))


SUMS: tuple[Pattern, ...] = (
    (
        "its columns sum to one, its rows do not",
        lambda one: one.found.ndim > 1 and _ones(one.found.sum(-2)),
    ),
    (
        "it sums to one over an axis before the last two, its rows do not",
        lambda one: one.found.ndim > 2 and _ones(one.found.sum(-3)),
    ),
    (
        "each whole matrix sums to one, its rows do not",
        lambda one: one.found.ndim > 1 and _ones(one.found.sum((-2, -1))),
    ),
    ("it sums to one as a whole, its rows do not", lambda one: _ones(one.found.sum())),
    (
        "it looks like the logarithm of what it should be",
        lambda one: _ones(np.exp(one.found).sum(-1)),
    ),
    ("its rows do not sum to one", lambda one: True),
)


def _factor(one: Beside) -> float:
    return float((one.found * one.right).sum() / (one.right * one.right).sum())


def _by_one_factor(one: Beside) -> bool:
    """Whether a factor explains all of it, and one that is further from 1 than rounding goes."""
    factor = _factor(one)
    if not (factor > 0 and abs(factor - 1) * np.abs(one.right).max() > one.bound):
        return False
    return one.same(one.found, factor * one.right)


WHOLE: tuple[Pattern, ...] = (
    ("it is zero everywhere", lambda one: bool((one.found == 0).all())),
    ("its sign is the wrong way round", lambda one: one.same(one.found, -one.right)),
    (
        "it is the transpose of the right one",
        lambda one: one.found.ndim > 1 and one.same(one.found, np.swapaxes(one.right, -1, -2)),
    ),
    (
        "every value is too large, all by the same factor",
        lambda one: _by_one_factor(one) and _factor(one) > 1,
    ),
    (
        "every value is too small, all by the same factor",
        lambda one: _by_one_factor(one) and _factor(one) < 1,
    ),
)


def _in_wrong_places(one: Beside) -> bool:
    return one.same(np.sort(one.found, axis=None), np.sort(one.right, axis=None))


def _off_by_one_amount(one: Beside) -> bool:
    shift = (one.found - one.right).mean()
    return one.found.size > 1 and one.same(one.found, one.right + shift)


def _is_close(one: Beside) -> bool:
    """Whether all are; no finite value is close to an infinite one."""
    apart = np.where(one.found == one.right, 0, one.apart)
    return bool(np.isfinite(apart).all() and (apart <= CLOSE * one.row_scale).all())


def _has_rows(one: Beside) -> bool:
    """Whether all values are wrong, and there are rows to tell of."""
    if one.found.ndim < 2 or min(one.found.shape[-2:]) < 2:
        return False
    return bool(one.wrong.mean() >= 0.9)


def _rows_are_one(one: Beside) -> bool:
    first, of_right = one.found[..., :1, :], one.right[..., :1, :]
    return one.same(one.found, np.broadcast_to(first, one.found.shape)) and not one.same(
        one.right, np.broadcast_to(of_right, one.right.shape)
    )


def _rows_by_factors(one: Beside) -> bool:
    squares = (one.right * one.right).sum(-1, keepdims=True)
    factors = (one.found * one.right).sum(-1, keepdims=True) / squares
    return bool((factors > 0).all()) and one.same(one.found, factors * one.right)


def _rows_by_amounts(one: Beside) -> bool:
    return one.same(one.found, one.right + (one.found - one.right).mean(-1, keepdims=True))


FINE: tuple[Pattern, ...] = (
    ("it holds the right numbers in the wrong places", _in_wrong_places),
    ("every value is off by the same amount", _off_by_one_amount),
    (
        "it is close, but further off than rounding explains",
        _is_close,
    ),
)

LAST: tuple[Pattern, ...] = (
    (
        "some of its values are right and others are wrong",
        lambda one: bool(one.surely_right.mean() > 0.1),
    ),
    ("all of its rows are the same", lambda one: _has_rows(one) and _rows_are_one(one)),
    (
        "each row is too large or too small by a factor of its own",
        lambda one: _has_rows(one) and _rows_by_factors(one),
    ),
    (
        "each row is off by an amount of its own",
        lambda one: _has_rows(one) and _rows_by_amounts(one),
    ),
)


def _of_places(one: Beside) -> str | None:
    """Where the wrong values stand, when some rows, columns or whole parts surely hold none."""
    axes = {-2: "rows", -1: "columns", -3: "matrices"} if one.wrong.ndim > 1 else {-1: "values"}
    for axis, parts in axes.items():
        if one.wrong.ndim < -axis:
            continue
        others = tuple(place for place in range(one.wrong.ndim) if place != one.wrong.ndim + axis)
        wrong = np.asarray(one.wrong.any(others))
        right = np.asarray(one.surely_right.all(others))
        if right.any() and (wrong | right).all():
            return _of_run([bool(part) for part in wrong], parts)
    return None


def _of_run(wrong: list[bool], parts: str) -> str:
    if sum(wrong) == 1 and wrong[0]:
        return f"the first of its {parts} is wrong, the others are right"
    if sum(wrong) == 1 and wrong[-1]:
        return f"the last of its {parts} is wrong, the others are right"
    if not any(wrong[:1]) and all(wrong[1:]):
        return f"the first of its {parts} is right, those after it are wrong"
    if not any(wrong[-1:]) and all(wrong[:-1]):
        return f"the last of its {parts} is right, those before it are wrong"
    if wrong == sorted(wrong):
        return f"the first of its {parts} are right, the later ones are wrong"
    if wrong == sorted(wrong, reverse=True):
        return f"the first of its {parts} are wrong, the later ones are right"
    return f"some of its {parts} are right and others are wrong"
