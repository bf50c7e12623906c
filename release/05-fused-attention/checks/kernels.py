"""Visible checks of 05-fused-attention: triton_attention."""

import os

import numpy as np
import torch
from torch import Tensor

from checks.kit.examples import example
from checks.kit.expectation import (
    Mismatch,
    exercise,
    expect,
    expect_inputs_unchanged,
    expect_value_error,
)
from checks.kit.local_student import LocalStudent
from checks.kit.packages import needs
from checks.kit.pictures import Heatmap
from checks.tables import Made

needs("triton_attention", "triton", "3.7")

_WIDE = torch.tensor([[1.0, 0.0, 0.0, 0.0]])
_QUERY = 2 * _WIDE  # 2 · score / sqrt(4) is the score
_SCORES = torch.tensor([[1.0], [2.0], [3.0], [0.0]]) * _WIDE
_VALUES = torch.tensor([[10.0], [20.0], [30.0], [40.0]])
_AVERAGE = 26.20887148  # worked out in the text of tiled_attention
_MISTAKES = {  # what comes out of that row by a slip
    40.702424: "This is o, with the values' exponentials. What is left to be done with l?",
    28.534007: "The scores are not divided yet. By the root of which width?",
    24.907218: "The scores are divided by too much: is it by the root of the width, and once?",
    27.364722: "The scores are divided by a root, but not by that of the keys' width.",
}

_BEYOND = "Places behind the last key get a weight, too. Which score gives them the weight 0?"

_MANY = 70  # more than a block of 64, and no multiple of 16
_PLACES = torch.arange(float(_MANY))[:, None]
_MEAN = (_MANY - 1) / 2
_RISING = _MANY - 1 - 0.58197671  # Σ j e^j / Σ e^j for many j: the last, less 1 / (e - 1)


_OF_ATTENTION = {"__matmul__", "matmul", "bmm", "baddbmm", "einsum", "softmax"}
_OF_ATTENTION |= {"scaled_dot_product_attention"}


@example(
    "triton_attention",
    picture=Heatmap(
        "triton_attention, is_causal=True",
        rows=tuple(f"query {place}" for place in range(5)),
        columns=tuple(f"key {place}" for place in range(5)),
        rows_are="output for",
        columns_are="share of",
    ),
)
def shares_of_values(student: LocalStudent) -> Tensor:
    """The value of key j is 1 in feature j and 0 elsewhere, so that weights come out."""
    numbers = torch.Generator().manual_seed(5)
    q, k = (torch.randn(5, 4, generator=numbers) for _ in "qk")
    found: Tensor = _called(student, q, k, torch.eye(5), is_causal=True)
    return found.cpu()


@exercise("triton_attention")
def test_four_scores_in_a_kernel(student: LocalStudent) -> None:
    """Scores 1, 2, 3, 0 and values 10, 20, 30, 40 give 26.2089; 0, 1000, 2000 and 0 give 30."""
    with Made() as made:
        found = _called(student, _QUERY, _SCORES, _VALUES)
    expect(found, _placed(torch.full((1, 1), _AVERAGE)), "(queries, d_v)", _row_is_special)
    expect_inputs_unchanged(student)
    if by_pytorch := sorted(made.names & _OF_ATTENTION):
        says = "The number is right, but PyTorch's functions make it. Let your kernel compute."
        raise Mismatch(f"a call of PyTorch's {by_pytorch[0]}", "a kernel that computes", says)
    thousands = torch.tensor([[0.0], [1000.0], [2000.0], [0.0]]) * _WIDE
    found = _called(student, _QUERY, thousands, _VALUES)
    expect(found, _placed(torch.full((1, 1), 30.0)), "(queries, d_v)", _huge_is_special)


@exercise("triton_attention")
def test_seventy_keys(student: LocalStudent) -> None:
    """Over 70 keys, equal scores give the mean of the values, and rising ones nearly the last."""
    equal = _called(student, torch.zeros(1, 4), _WIDE.expand(_MANY, 4).contiguous(), _PLACES)
    expect(equal, _placed(torch.full((1, 1), _MEAN)), "(queries, d_v)", _mean_is_special)
    for towards, average in ((1.0, _RISING), (-1.0, _MANY - 1 - _RISING)):
        found = _called(student, towards * _QUERY, _PLACES * _WIDE, _PLACES)
        expect(found, _placed(torch.full((1, 1), average)), "(queries, d_v)", _rising_is_special)


@exercise("triton_attention")
def test_causal_in_a_kernel(student: LocalStudent) -> None:
    """With is_causal=True, query i of 70 gets the mean of the values 0 to i; without it, of all."""
    q, k = torch.zeros(_MANY, 4), _WIDE.expand(_MANY, 4).contiguous()
    found = _called(student, q, k, _PLACES, is_causal=True)
    expect(found, _placed(_PLACES / 2), "(queries, d_v)", _causal_is_special)
    found = _called(student, q, k, _PLACES)
    says = "Nobody asked for a causal mask in this call. Every query may see every key."
    wanted = _placed(torch.full((_MANY, 1), _MEAN))
    expect(found, wanted, "(queries, d_v)", lambda array: says if _is_causal(array) else None)


@exercise("triton_attention")
def test_heads_and_widths_in_a_kernel(student: LocalStudent) -> None:
    """A batch of 2 with 3 heads, 5 queries, 7 keys and values 6 wide, transposed, in float16."""
    place = torch.arange(7.0)[:, None]  # key j scores j, 0 or -j, and has the value j
    towards = torch.tensor([1.0, 0.0, -1.0, 0.0, 1.0])[:, None]
    means = torch.tensor([5.42452, 3.0, 0.57548, 3.0, 5.42452])[:, None]
    rank = torch.arange(1.0, 7.0).reshape(2, 3, 1, 1)  # values differ by batch, head and feature
    q, k = (2 * towards * _WIDE).expand(2, 3, 5, 4), (place * _WIDE).expand(2, 3, 7, 4)
    v = rank * place + torch.arange(6.0)
    views = [one.half().transpose(1, 2).contiguous().transpose(1, 2) for one in (q, k, v)]
    wanted = _placed((rank * means + torch.arange(6.0)).half())
    axes = "(batch, heads, queries, d_v)"
    expect(_called(student, *views), wanted, axes, _heads_are_special)
    expect(_called(student, *(view[:1] for view in views)), wanted[:1], axes)


@exercise("triton_attention")
def test_tensors_that_do_not_fit(student: LocalStudent) -> None:
    """Queries 4 wide and keys 5 wide raise a ValueError that names both; so do 7 keys, 6 values."""
    q, k, v = torch.ones(3, 4), torch.ones(7, 4), torch.ones(7, 2)
    wide = torch.ones(7, 5)
    expect_value_error(lambda: _called(student, q, wide, v), numbers=(4, 5))
    expect_value_error(lambda: _called(student, q, k, v[:6]), numbers=(7, 6))


def _called(student: LocalStudent, *tensors: Tensor, is_causal: bool = False) -> Tensor:
    options = {"is_causal": True} if is_causal else {}
    found: Tensor = student.triton_attention(*map(_placed, tensors), **options)
    return found


def _placed(tensor: Tensor) -> Tensor:
    """The tensor where kernels run: on the GPU, unless Triton's interpreter was asked for."""
    interpreted = os.environ.get("TRITON_INTERPRET", "0") == "1"
    return tensor if interpreted or not torch.cuda.is_available() else tensor.cuda()


def _row_is_special(found: np.ndarray) -> str | None:
    if found.size == 1 and np.isnan(found).any():
        return "nan came out. What is 0 / 0, or inf - inf? Does any block reach your loop?"
    for value, says in _MISTAKES.items():
        if found.size == 1 and abs(found.item() - value) < 1e-3:
            return says
    share = _SCORES[:, 0].exp().sum().item()
    zeros = found.item() if found.size == 1 else 0.0
    if 0 < zeros < 26 and _is_whole(_AVERAGE * share / zeros - share):
        return _BEYOND
    return None


def _mean_is_special(found: np.ndarray) -> str | None:
    if found.size != 1 or not np.isfinite(found).all() or found.item() <= 0:
        return None
    if found.item() < _MEAN and _is_whole(_MEAN * _MANY / found.item()):
        return _BEYOND
    if _is_whole(2 * found.item()):
        return "Some keys do not count. Is what earlier blocks left kept? Where does your loop end?"
    return None


def _rising_is_special(found: np.ndarray) -> str | None:
    if found.size == 1 and np.isfinite(found).all():
        return "When a block has a higher maximum, what becomes of l and o? And when a lower one?"
    return None


def _causal_is_special(found: np.ndarray) -> str | None:
    if found.shape != (_MANY, 1):
        return None
    if np.allclose(found, _MEAN, atol=1e-3):
        return "Every query sees every key. Does is_causal reach your kernel?"
    if np.isnan(found).any():
        return "nan: some query sees no key at all, or only minus infinity. Which may query 0 see?"
    if not np.allclose(found[0], 0.0, atol=1e-3):
        return "Query 0 may see key 0 alone, whose value is 0."
    wrong = np.flatnonzero(~np.isclose(found[:, 0], np.arange(_MANY) / 2, atol=1e-3))
    if wrong.size:
        return f"Query {wrong[0]} is the first that is wrong. In which block does it stand?"
    return None


def _is_causal(found: np.ndarray) -> bool:
    return found.shape == (_MANY, 1) and np.allclose(found[0], 0.0, atol=1e-3)


def _huge_is_special(found: np.ndarray) -> str | None:
    if not np.isfinite(found).all():
        return (
            "exp(2000) is too large for any floating-point number. From which score on is your "
            "maximum up to date?"
        )
    return None


def _heads_are_special(found: np.ndarray) -> str | None:
    if found.shape != (2, 3, 5, 6):
        return None
    if np.allclose(found, found[:1, :1], atol=1e-2):
        return "All heads give the same. Where do the keys and values of head 1 begin in memory?"
    if not found[1].any() or not found[:, 1:].any():
        return "Some heads are never written. How many programs does your grid have?"
    return None


def _is_whole(number: float) -> bool:
    return abs(number - round(number)) < 1e-3
