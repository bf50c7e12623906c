"""The numerical policy: how far from the float64 reference a right answer may lie.

A right answer in some dtype differs from the exact one by rounding, and how much depends on the
data. So the bound is measured: the reference itself runs in that dtype, and an answer may err four
times as much. (Twice as much, as in tests of some fused kernels, is too strict for code written
by hand: it fails 1 to 10% of right answers in half precision.) Where the reference happens to round
luckily, four times its error is nothing, so every dtype also has a floor.

What is exact is computed on the CPU, wherever the answer runs: work on a GPU is not judged by that
GPU's arithmetic.
"""

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from autograder.checks.kit.values import Array, values
from autograder.judging.library import library

Value = Any
"""An array, a number, text, nothing, or a tuple of these."""

Kind = Literal["values", "gradients", "laws"]

SLACK = 4.0

LONGEST = 1023
"""Bits of a whole number that a float can hold, too."""
_NUMPY_FLOATS = (np.float16, np.float32, np.float64)

# Floors are relative to the largest exact value. benchmarks/calibration.py measures them: over 500
# course secrets, 371 right answers to 40 exercises made 2,669,500 comparisons, and erred by at most
# this part of what is allowed: 0.21 in float16, 0.45 in bfloat16, 0.20 in float32 (gradients 0.10),
# 0.92 in float64 (gradients 0.09). Over 50 secrets, of the 426 mistakes that a comparison catches
# under each the nearest is an answer rounded to four digits, 33 times over its bound: a gap of 36.
# Single precision has room to spare, which pays for longer sums and for orders of summation nobody
# thought of. Double precision is not asked for its last digits: a denominator guarded by 1e-8, or
# a step taken in single precision, which errs most there, is no misunderstanding.
FLOORS = {
    "float64": 2e-6,
    "float32": 64 * 2.0**-23,
    "float16": 16 * 2.0**-10,
    "bfloat16": 8 * 2.0**-7,
}
# A backward pass rounds about twice as often as the pass forward.
GRADIENT_FLOOR_FACTOR = 2.0
# A law compares an answer with itself, so that both sides round, and a sum of two results rounds
# once more than each: 122 right answers under 30 secrets differed by at most 0.08 of this.
LAW_FLOOR_FACTOR = 4.0


@dataclass(frozen=True)
class Expected:
    """What the reference gives.

    Attributes:
        plain: its result in the dtype of its inputs; it also sets the type, shape, dtype and device
            expected.
        exact: its result for the same inputs in float64, on the CPU.
    """

    plain: Value
    exact: Value


def expected(reference: Callable[..., Any], *args: Any, **kwargs: Any) -> Expected:
    """Run a trusted reference where and as its inputs are, and on the CPU in float64.

    Args:
        reference: a function or a module.
        args: its inputs; all that `widened` changes is changed for the exact run.
        kwargs: its keyword arguments, treated the same.
    """
    with library().without_gradients():
        plain = reference(*args, **kwargs)
        exact = widened(reference)(
            *widened(args), **{name: widened(value) for name, value in kwargs.items()}
        )
    return Expected(plain, exact)


def widened(value: Any) -> Any:
    """The same value on the CPU, with every floating tensor and array in float64.

    Args:
        value: an array, a tensor, a tuple of them, or a module, which is copied; all else stays
            as it is, and so does the device of what has no values.
    """
    if isinstance(value, tuple | list):
        return type(value)(widened(part) for part in value)
    found = library().widened(value)
    return value if found is None else found


def wide(array: Array) -> np.ndarray:
    """Its numbers in float64."""
    return np.asanyarray(values().as_numpy(array).astype(np.float64))


def floor_of(array: Array) -> float:
    """The floor of an array's dtype, relative to the largest exact value."""
    return FLOORS[values().dtype_text(array)]


def number_of(value: object) -> np.floating | None:
    """A real number as one of NumPy's: Python's own, NumPy's, or an array of no axes.

    Returns:
        the number, of floating dtype; None for all else, truth values among it.
    """
    if isinstance(value, np.generic) or (isinstance(value, np.ndarray) and value.ndim == 0):
        array = np.asarray(value)
        kept = array if array.dtype in _NUMPY_FLOATS else array.astype(np.float64)
        return kept.dtype.type(kept) if array.dtype.kind in "iuf" else None
    if isinstance(value, float) or (type(value) is int and value.bit_length() <= LONGEST):
        return np.float64(value)
    return None


def largest(value: Array) -> float:
    """The largest finite magnitude in an array; 0 when it has none."""
    sizes = np.abs(wide(value))
    most = float(sizes.max()) if sizes.size else 0.0
    if math.isfinite(most):
        return most
    finite = sizes[np.isfinite(sizes)]
    return float(finite.max()) if finite.size else 0.0


def bound(
    plain: Array, exact: Array, scale: float | None = None, floor_factor: float = 1.0
) -> float:
    """How far from `exact` an answer in `plain`'s dtype may lie.

    max(4 |plain - exact|, floor(dtype) scale), largest values throughout.

    Args:
        plain: the reference's result in the dtype.
        exact: the reference's result in float64, of the same shape.
        scale: magnitude that the floor is relative to; the largest exact value when not given.
        floor_factor: widens the floor.
    """
    scale = largest(exact) if scale is None else scale
    floor = floor_of(plain) * scale * floor_factor
    with np.errstate(invalid="ignore"):  # two infinities differ by nothing that is a number
        return max(SLACK * largest(wide(plain) - wide(exact)), floor)


@dataclass(frozen=True)
class Comparison:
    """One comparison of floating values that was made.

    Attributes:
        dtype: that of the answer, by its name.
        kind: of a result or of gradients with the reference's, or, of a law, of two results of one
            answer.
        ratio: the largest error, relative to the bound; above 1 it is wrong.
    """

    dtype: str
    kind: Kind
    ratio: float


_LISTS: list[list[Comparison]] = []  # one for each `comparisons()` that is open


@contextmanager
def comparisons() -> Iterator[list[Comparison]]:
    """A list that every comparison joins while the context is open; changes no verdict."""
    made: list[Comparison] = []
    _LISTS.append(made)
    try:
        yield made
    finally:
        _LISTS.pop()


def law_bound(*results: Array) -> float:
    """How far results of one answer may lie from each other that a law makes equal."""
    floor = FLOORS.get(values().dtype_text(results[0]), FLOORS["float32"])
    return LAW_FLOOR_FACTOR * floor * max(largest(one) for one in results)


def agree(one: Array, other: Array) -> bool:
    """Whether two results are equal but for rounding; a question, and no comparison that counts."""
    return one.shape == other.shape and _ratio(one, other, law_bound(one, other)) <= 1


def compared(found: Array, exact: Array, allowed: float, kind: Kind = "values") -> float:
    """The largest error of `found`, relative to the error allowed; a right answer's is at most 1.

    Args:
        found: the answer, in its own dtype.
        exact: the exact values, of the same shape.
        allowed: the bound.
        kind: what is compared.

    Returns:
        the ratio; infinite where a NaN or an infinity is wrong. Infinities that are equal, and NaN
        where it is expected, are right.
    """
    ratio = _ratio(found, exact, allowed)
    for made in _LISTS:
        made.append(Comparison(values().dtype_text(found), kind, ratio))
    return ratio


def _ratio(found: Array, exact: Array, allowed: float) -> float:
    error = largest_difference(found, exact)
    # A NaN is an infinite error too: no comparison with it holds.
    if 0 < error < math.inf and allowed > 0:
        return error / allowed
    return 0.0 if error == 0 else math.inf


def largest_difference(found: Array, exact: Array) -> float:
    """How far two arrays of one shape lie from each other at most, in float64.

    Infinities that are equal, and NaN in both, are no difference; other NaN make it NaN.
    """
    one, other = wide(found), wide(exact)
    with np.errstate(invalid="ignore"):
        apart = np.abs(one - other)
        error = float(apart.max()) if apart.size else 0.0
        if math.isfinite(error):
            return error
        same = (one == other) | (np.isnan(one) & np.isnan(other))
        return float(np.where(same, 0.0, apart).max())
