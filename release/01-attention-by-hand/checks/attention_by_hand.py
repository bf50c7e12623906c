"""Visible checks of 01-attention-by-hand, from softmax to weights; averages have their own file."""

import math
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch.overrides import TorchFunctionMode

from checks.apart import drawn, each_alone
from checks.devices_and_gradients import expect_gradients, expect_on_meta
from checks.kit.examples import example
from checks.kit.expectation import (
    Mismatch,
    exercise,
    expect,
    expect_inputs_unchanged,
    same,
    sums_to_one,
)
from checks.kit.local_student import LocalStudent
from checks.kit.pictures import Bars
from checks.weights import AttentionMap

_QUERIES = torch.tensor([[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0]])  # "The", "cat"
_KEYS = torch.tensor([[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0], [1.0, 1.0, 0.0, 0.0]])
_HEADS = "(batch, heads, queries, keys)"
_SCORES = torch.tensor([[2.0, 0.0, 1.0], [0.0, 0.0, 0.0], [-1.0, 3.0, 1.0]])
_OF_TWO_ONE_ZERO = (0.66524096, 0.24472847, 0.09003057)  # shares of the scores 2, 1 and 0


@example(
    "softmax",
    picture=Bars("softmax of 2, 1, 0, -1", ("2", "1", "0", "-1"), "score", "share"),
)
def shares_of_four_scores(student: LocalStudent) -> np.ndarray:
    """The shares of four scores that fall by one each."""
    shares: np.ndarray = student.softmax(np.array([2.0, 1.0, 0.0, -1.0]))
    return shares


@example(
    "dot_product_scores",
    picture=AttentionMap("dot_product_scores(q, k)", ("The", "cat"), ("The", "cat", "sat")),
)
def products_of_two_queries(student: LocalStudent) -> Tensor:
    """The dot products of two tokens with three tokens."""
    scores: Tensor = student.dot_product_scores(_QUERIES, _KEYS)
    return scores


@example(
    "scaled_scores",
    picture=AttentionMap("scaled_scores(q, k)", ("The", "cat"), ("The", "cat", "sat")),
)
def scores_of_two_queries(student: LocalStudent) -> Tensor:
    """The scores of two tokens for three tokens."""
    scores: Tensor = student.scaled_scores(_QUERIES, _KEYS)
    return scores


@example(
    "attention_weights",
    picture=AttentionMap(
        "attention_weights(scores)",
        ("cat", "sat", "mat"),
        ("cat", "sat", "mat"),
        row_sums=True,
    ),
)
def weights_of_three_tokens(student: LocalStudent) -> Tensor:
    """The weights that three tokens give each other."""
    weights: Tensor = student.attention_weights(_SCORES)
    return weights


@exercise("softmax")
def test_three_scores(student: LocalStudent) -> None:
    """NumPy turns the scores 2, 1 and 0 into the shares 0.6652, 0.2447 and 0.0900."""
    with _CallsOfTorch() as calls:
        shares = student.softmax(np.array([2.0, 1.0, 0.0]))
    expect(shares, np.array([0.66524096, 0.24472847, 0.09003057]), "(scores)", _shares_are_special)
    if calls.names:
        says = "Write it yourself, in NumPy: which steps does the equation name?"
        raise Mismatch(f"a call of PyTorch's {calls.names[0]}", "NumPy alone", says)
    expect_inputs_unchanged(student)


@exercise("softmax")
def test_the_axis_is_respected(student: LocalStudent) -> None:
    """With axis=0 every column of a table sums to 1, and with axis=-2 as well."""
    high, low = 0.73105858, 0.26894142
    scores = np.array([[1.0, 0.0, 3.0], [0.0, 1.0, 3.0]])
    wanted = np.array([[high, low, 0.5], [low, high, 0.5]])
    for axis in (0, -2):
        shares = student.softmax(scores.copy(), axis=axis)
        expect(shares, wanted, "those of the input", _columns_are_special)


@exercise("softmax")
def test_three_dimensions(student: LocalStudent) -> None:
    """Without axis, the last one counts, however many axes there are and however short."""
    for lead in ((2, 4), (2, 1)):
        scores, wanted = (part.numpy() for part in _turned_rows(*lead, dtype=torch.float64))
        expect(student.softmax(scores), wanted, "those of the input", _flat_is_special)


@exercise("softmax")
def test_huge_scores(student: LocalStudent) -> None:
    """Rows with scores of 10,000 and -10,000 give finite shares; 12 less is 1 / 162,755 as much."""
    shares = student.softmax(np.array([[10000.0, 9999.0, 9988.0], [0.0, -10000.0, 0.0]]))
    wanted = np.array([[0.73105529, 0.26894021, 0.00000449], [0.5, 0.0, 0.5]])
    expect(shares, wanted, "those of the input", _huge_is_special)
    expect_inputs_unchanged(student)
    columns = student.softmax(np.array([[0.0, 10000.0], [0.0, 9999.0]]), axis=0)
    wanted = np.array([[0.5, 0.73105858], [0.5, 0.26894142]])
    expect(columns, wanted, "those of the input", _huge_is_special)
    _expect_ratio(float(shares[0, 0]), float(shares[0, 2]))


@exercise("softmax")
def test_the_dtype_stays(student: LocalStudent) -> None:
    """An array of float32 gives an array of float32."""
    shares = student.softmax(np.array([1.0, 0.0], dtype=np.float32))
    expect(shares, np.array([0.73105858, 0.26894142], dtype=np.float32), "(scores)")


@exercise("dot_product_scores")
def test_two_queries_meet_three_keys(student: LocalStudent) -> None:
    """The first two rows of the table above: queries The and cat meet keys The, cat and sat."""
    scores = student.dot_product_scores(_QUERIES, _KEYS)
    wanted = torch.tensor([[2.0, 0.0, 1.0], [0.0, 2.0, 1.0]])
    expect(scores, wanted, "(queries, keys)", lambda found: _products_are_special(found, wanted))
    expect_inputs_unchanged(student)


@exercise("dot_product_scores")
def test_length_and_direction_count(student: LocalStudent) -> None:
    """In bfloat16: a key three times as long scores three times as much; turned round, below 0."""
    k = torch.tensor([[1.0, 2.0], [3.0, 6.0], [-1.0, -2.0], [2.0, -1.0]]).bfloat16()
    wanted = torch.tensor([[5.0, 15.0, -5.0, 0.0]]).bfloat16()
    for keys in (4, 1):
        scores = student.dot_product_scores(torch.tensor([[1.0, 2.0]]).bfloat16(), k[:keys])
        right = wanted[:, :keys]
        expect(scores, right, "(queries, keys)", partial(_products_are_special, wanted=right))


@exercise("dot_product_scores")
def test_a_batch_with_heads(student: LocalStudent) -> None:
    """In a batch of 2 with 3 heads, each of the 6 tables of scores is as if it were alone."""
    q, k = drawn(2, 3, 4, 6), drawn(2, 3, 5, 6)
    (wanted,) = each_alone(student.dot_product_scores, q, k)
    scores = student.dot_product_scores(q, k)
    expect(scores, wanted, _HEADS, lambda found: _swap_is_special(found, wanted.numpy()))
    expect_inputs_unchanged(student)


@exercise("dot_product_scores")
def test_queries_and_keys_can_learn(student: LocalStudent) -> None:
    """Gradients reach queries and keys, and the scores are made where they are."""
    _expect_learnable(student, "dot_product_scores")


@exercise("scaled_scores")
def test_three_small_keys(student: LocalStudent) -> None:
    """Two queries and three keys of width 4, small enough to do by hand."""
    scores = student.scaled_scores(_QUERIES, _KEYS)
    expect(
        scores,
        torch.tensor([[1.0, 0.0, 0.5], [0.0, 1.0, 0.5]]),
        "(queries, keys)",
        lambda found: _scale_is_special(found, (_QUERIES @ _KEYS.mT).numpy(), width=4),
    )
    expect_inputs_unchanged(student)


@exercise("scaled_scores")
def test_another_width(student: LocalStudent) -> None:
    """The scale follows the width: 9 times 1 · 2 makes 18 / 3, in bfloat16; of 2, it is 1.4142."""
    q = torch.tensor([1.0, 3.0])[:, None].expand(2, 9).bfloat16()
    k = torch.tensor([2.0, -1.0, 8.0, 5.0])[:, None].expand(4, 9).bfloat16()
    products = 9 * torch.tensor([[2.0, -1.0, 8.0, 5.0], [6.0, -3.0, 24.0, 15.0]])
    expect(
        student.scaled_scores(q, k),
        (products / 3).bfloat16(),
        "(queries, keys)",
        lambda found: _scale_is_special(found, products.numpy(), width=9),
    )
    narrow = torch.tensor([[1.0, 2.0]])
    expect(
        student.scaled_scores(torch.tensor([[1.0, 1.0]]), torch.tensor([[1.0, 0.0], [0.0, 2.0]])),
        torch.tensor([[0.70710678, 1.41421356]]),
        "(queries, keys)",
        lambda found: _scale_is_special(found, narrow.numpy(), width=2),
    )


@exercise("scaled_scores")
def test_the_narrowest_width(student: LocalStudent) -> None:
    """Of queries and keys with a single feature, the scores are the plain products."""
    q, k = torch.tensor([[2.0], [3.0]]), torch.tensor([[5.0], [-1.0]])
    wanted = torch.tensor([[10.0, -2.0], [15.0, -3.0]])
    for queries, keys in ((2, 2), (2, 1), (1, 2)):
        scores = student.scaled_scores(q[:queries], k[:keys])
        expect(scores, wanted[:queries, :keys], "(queries, keys)")


@exercise("scaled_scores")
def test_leading_dimensions(student: LocalStudent) -> None:
    """In a batch of 2 with 3 heads, each of the 6 tables of scores is as if it were alone."""
    q, k = drawn(2, 3, 4, 6), drawn(2, 3, 5, 6)
    (wanted,) = each_alone(student.scaled_scores, q, k)
    scores = student.scaled_scores(q, k)
    expect(scores, wanted, _HEADS, lambda found: _swap_is_special(found, wanted.numpy()))
    expect_inputs_unchanged(student)


@exercise("scaled_scores")
def test_queries_and_keys_can_learn_from_scaled_scores(student: LocalStudent) -> None:
    """Gradients reach queries and keys, and the scores are made where they are."""
    _expect_learnable(student, "scaled_scores")


@exercise("attention_weights")
def test_three_tokens(student: LocalStudent) -> None:
    """Scores of 1 on the diagonal and 0 elsewhere give 0.5761 and 0.2119."""
    weights = student.attention_weights(torch.eye(3))
    wanted = 0.21194156 + (0.57611688 - 0.21194156) * torch.eye(3)
    expect(weights, wanted, "(queries, keys)", _weights_are_special)


@exercise("attention_weights")
def test_three_rows_of_scores(student: LocalStudent) -> None:
    """Each query's row sums to 1, the highest score gets most, and gradients come back."""
    weights = student.attention_weights(_SCORES)
    wanted = torch.tensor(
        [
            [0.66524096, 0.09003057, 0.24472847],
            [0.33333333, 0.33333333, 0.33333333],
            [0.01587624, 0.86681333, 0.11731043],
        ]
    )
    expect(weights, wanted, "(queries, keys)", _weights_are_special)
    expect_inputs_unchanged(student)
    found = student.grad("attention_weights", _SCORES, upstream=torch.eye(3))
    expect_gradients(found, "scores")
    expect_on_meta(lambda: student.attention_weights(_SCORES.to("meta")), "scores")


@exercise("attention_weights")
def test_heads_and_half_precision(student: LocalStudent) -> None:
    """Four dimensions work too, and bfloat16 stays bfloat16."""
    scores, wanted = _turned_rows(2, 4, 5, dtype=torch.bfloat16)
    expect(student.attention_weights(scores), wanted, _HEADS, _weights_are_special)
    expect_inputs_unchanged(student)


@exercise("attention_weights")
def test_as_many_queries_as_keys_and_a_single_one(student: LocalStudent) -> None:
    """In a batch it does not matter whether there are as many queries as keys, or only one."""
    scores, wanted = _turned_rows(2, 3)
    for queries in (3, 1):
        weights = student.attention_weights(scores[:, :queries])
        expect(weights, wanted[:, :queries], "(batch, queries, keys)", _weights_are_special)


@exercise("attention_weights")
def test_rows_far_apart(student: LocalStudent) -> None:
    """Rows near 1000 and near -1000 share out alike; a score 12 lower gets 1 / 162,755 as much."""
    row = torch.tensor([0.0, -1.0, -12.0], dtype=torch.float64)
    weights = student.attention_weights(torch.stack([1000 + row, row - 1000]))
    wanted = torch.tensor([[0.73105529, 0.26894021, 0.00000449]] * 2, dtype=torch.float64)
    expect(weights, wanted, "(queries, keys)", _weights_are_special)
    _expect_ratio(float(weights[0, 0]), float(weights[0, 2]))


def _expect_learnable(student: LocalStudent, name: str) -> None:
    """State that gradients reach queries and keys, and that scores are made where they are."""
    q, k = drawn(4, 6), drawn(5, 6)
    expect_gradients(student.grad(name, q, k, upstream=drawn(4, 5)), "q", "k")
    scores_of = getattr(student, name)
    expect_on_meta(lambda: scores_of(q.to("meta"), k.to("meta")), "q")


def _turned_rows(*lead: int, dtype: torch.dtype = torch.float32) -> tuple[Tensor, Tensor]:
    """Scores whose rows hold 2, 1 and 0, each turned and lifted by its place; and their shares."""
    places = torch.arange(math.prod(lead))
    turned = (torch.arange(3) + places[:, None]) % 3
    scores = torch.tensor([2.0, 1.0, 0.0])[turned] + (places % 4)[:, None]
    shares = torch.tensor(_OF_TWO_ONE_ZERO)[turned]
    return tuple(part.reshape(*lead, 3).to(dtype) for part in (scores, shares))  # type: ignore[return-value]


def _expect_ratio(share: float, smaller: float) -> None:
    """State that a score 12 lower has a share e to the 12th times smaller, and none that is 0."""
    if smaller <= 0 or not np.isclose(share / smaller, 162754.79, rtol=1e-3):
        says = "The smallest share is off, or 0. Is anything rounded or left out on the way?"
        raise Mismatch(f"{share:.6g} and {smaller:.6g}", "one share 162,755 times the other", says)


class _CallsOfTorch(TorchFunctionMode):
    """Notes which functions of PyTorch are called while it is entered."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []

    def __torch_function__(
        self, func: Any, types: Any, args: Any = (), kwargs: dict[str, Any] | None = None
    ) -> Any:
        """Call the function, and note its name."""
        self.names.append(str(getattr(func, "__name__", func)))
        return func(*args, **(kwargs or {}))


def _shares_are_special(shares: np.ndarray) -> str | None:
    if shares.shape == (3,) and same(shares, np.log([0.66524096, 0.24472847, 0.09003057])):
        return "These are the logarithms of the shares. Shares are positive and sum to 1."
    if not sums_to_one(shares, None):
        return f"Your shares sum to {shares.sum():.4f}. What would make them sum to 1?"
    return None


def _columns_are_special(shares: np.ndarray) -> str | None:
    if shares.ndim == 2 and sums_to_one(shares, 1):
        return "Your rows sum to 1; with axis=0 the columns must. Is `axis` used everywhere?"
    return _flat_is_special(shares)


def _flat_is_special(shares: np.ndarray) -> str | None:
    if sums_to_one(shares, None):
        return "All your shares together sum to 1. Over which numbers should each sum run?"
    if np.isfinite(shares).all() and (shares > 1).any():
        return "Some of your shares are above 1. Do your sums keep their axis, for dividing?"
    return None


def _huge_is_special(shares: np.ndarray) -> str | None:
    if shares.ndim == 2 and np.isfinite(shares[0]).all() and not np.isfinite(shares[1]).all():
        return (
            "Your first row is finite, the second is not. Which number do you take from the scores "
            "there, and what is exp of what is left?"
        )
    if not np.isfinite(shares).all():
        return (
            "exp(10000) is too large for any floating-point number, so it became inf. Which number "
            "could you take from every score first, without changing a single share?"
        )
    return None


def _products_are_special(found: np.ndarray, wanted: Tensor) -> str | None:
    right = wanted.float().numpy()
    if found.shape == right.shape and _proportional(found, right):
        return "The pattern is right, but the numbers are not plain dot products. What scales them?"
    if sums_to_one(found, -1):
        return "Your rows sum to 1: these look like weights already. Scores come without softmax."
    return _swap_is_special(found, right)


def _swap_is_special(found: np.ndarray, right: np.ndarray) -> str | None:
    if found.shape == right.swapaxes(-1, -2).shape and found.shape != right.shape:
        return "Rows and columns are swapped: row i belongs to query i, column j to key j."
    return None


def _proportional(found: np.ndarray, right: np.ndarray) -> bool:
    factor = (found * right).sum() / (right * right).sum()
    return bool(factor > 0 and same(found, factor * right) and not same(found, right))


def _scale_is_special(found: np.ndarray, products: np.ndarray, width: int) -> str | None:
    if same(found, products):
        return "These are plain dot products: the wider the vectors, the wider their spread."
    if same(found, products / width):
        return "Your scores are too small: look again at what stands below the line."
    if same(found, products * np.sqrt(width)) or same(found, products * width):
        return "Your scores grow with the width twice over. Multiply, or divide?"
    return _swap_is_special(found, products)


def _weights_are_special(weights: np.ndarray) -> str | None:
    if weights.ndim < 2 or not np.isfinite(weights).all():
        return None
    if not sums_to_one(weights, -1) and sums_to_one(weights, -2):
        return "Your columns sum to 1, your rows do not. Which axis lists the keys?"
    if sums_to_one(weights, (-2, -1)):
        return "Each whole matrix sums to 1. Each query shares out 1 by itself."
    if not sums_to_one(weights, -1) and weights.ndim > 2:
        return "The rows do not sum to 1. Where do the keys stand when there are more dimensions?"
    if (weights < 0).any():
        return "Some weights are negative. Are these scores, or logarithms?"
    return None
