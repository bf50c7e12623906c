"""Visible checks of 02-self-attention: project_qkv and scaled_dot_product_attention."""

from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import torch
from torch import Tensor

from checks.apart import drawn, each_alone
from checks.devices_and_gradients import expect_gradients, expect_on_meta
from checks.kit.describing import form_text
from checks.kit.examples import example
from checks.kit.expectation import (
    Hint,
    Mismatch,
    exercise,
    expect_inputs_unchanged,
    expect_part,
    same,
    sums_to_one,
)
from checks.kit.local_student import LocalStudent
from checks.kit.pictures import Heatmap
from checks.weights import AttentionMap, expect_output_and_weights, second_of_two, shared_by_columns

_TOKENS = torch.tensor([[1.0, 0.0, 2.0], [0.0, 1.0, 1.0]])  # two tokens, d_model 3
_W_Q = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
_W_K = torch.tensor([[0.0, 1.0], [1.0, 0.0], [0.0, 1.0]])
_W_V = torch.tensor([[2.0], [1.0], [0.0]])
_FORMS = "(seq, d_k)", "(seq, d_k)", "(seq, d_v)"

_QUERIES = torch.tensor([[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0]])  # The, cat
_KEYS = torch.tensor([[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0], [1.0, 1.0, 0.0, 0.0]])
_VALUES = torch.tensor([[4.0, 0.0], [0.0, 8.0], [2.0, 2.0]])
_WEIGHTS = torch.tensor(
    [[0.50648040, 0.18632373, 0.30719590], [0.18632373, 0.50648040, 0.30719590]]
)
_OUTPUT = torch.tensor([[2.64031339, 2.10498166], [1.35968673, 4.66623497]])
_AXES = "(queries, d_v)", "(queries, keys)"


@example(
    "project_qkv",
    picture=Heatmap(
        "project_qkv(x, w_q, w_k, w_v), side by side",
        rows=("token 0", "token 1"),
        columns=("q 0", "q 1", "k 0", "k 1", "v 0"),
        rows_are="tokens",
        columns_are="features of q, k and v",
    ),
)
def three_projections(student: LocalStudent) -> object:
    """Query, key and value of two tokens, side by side."""
    found: Any = student.project_qkv(_TOKENS, _W_Q, _W_K, _W_V)
    if isinstance(found, (tuple, list)) and all(isinstance(part, Tensor) for part in found):
        return torch.cat(list(found), dim=-1)
    return found


@example(
    "scaled_dot_product_attention",
    picture=AttentionMap(
        "weights under a mask that hides sat from The",
        ("The", "cat"),
        ("The", "cat", "sat"),
        row_sums=True,
    ),
)
def weights_under_a_mask(student: LocalStudent) -> object:
    """The weights of two queries, one of which may not see the last key."""
    mask = torch.tensor([[True, True, False], [True, True, True]])
    return second_of_two(student.scaled_dot_product_attention(_QUERIES, _KEYS, _VALUES, mask))


@exercise("project_qkv")
def test_two_tokens_by_hand(student: LocalStudent) -> None:
    """The two tokens and three matrices of the worked example above; then wider values."""
    found = student.project_qkv(_TOKENS, _W_Q, _W_K, _W_V)
    q, k = torch.tensor([[3.0, 2.0], [1.0, 2.0]]), torch.tensor([[0.0, 3.0], [1.0, 1.0]])
    v = torch.tensor([[2.0], [1.0]])
    _expect_three(found, (q, k, v))
    expect_inputs_unchanged(student)
    found = student.project_qkv(_TOKENS, _W_Q, _W_K, _W_V.repeat(1, 5))
    _expect_three(found, (q, k, v.repeat(1, 5)))


@exercise("project_qkv")
def test_a_square_matrix_is_not_turned_round(student: LocalStudent) -> None:
    """The token (1, 0) picks the first row of each matrix, not the first column."""
    w = torch.tensor([[1.0, -2.0], [3.0, 4.0]])
    found = student.project_qkv(torch.tensor([[1.0, 0.0]]), w, 10 * w, 100 * w)
    row = torch.tensor([[1.0, -2.0]])
    _expect_three(found, (row, 10 * row, 100 * row), _turned_is_special)


@exercise("project_qkv")
def test_a_batch_of_texts(student: LocalStudent) -> None:
    """In a batch of 2 texts, or of 3 batches, each gets what it gets alone; bfloat16 stays."""
    x, w_q, w_k, w_v = (
        drawn(*shape).mul(2).round().bfloat16() for shape in ((2, 4, 3), (3, 5), (3, 5), (3, 6))
    )
    alone = each_alone(lambda text: student.project_qkv(text, w_q, w_k, w_v), x)
    found = student.project_qkv(x, w_q, w_k, w_v)
    _expect_three(found, [part.bfloat16() for part in alone])
    batches = student.project_qkv(x.expand(3, *x.shape), w_q, w_k, w_v)
    _expect_three(batches, [part.bfloat16().expand(3, *part.shape) for part in alone])
    expect_inputs_unchanged(student)


@exercise("project_qkv")
def test_tokens_and_matrices_can_learn(student: LocalStudent) -> None:
    """Gradients reach tokens and matrices from all three results, made where the tokens are."""
    given = drawn(4, 3), drawn(3, 5), drawn(3, 5).flip(0), drawn(3, 6)
    upstream = drawn(4, 5), drawn(4, 5).flip(0), drawn(4, 6)
    found = student.grad("project_qkv", *given, upstream=upstream)
    expect_gradients(found, "x", "w_q", "w_k", "w_v")
    expect_on_meta(lambda: student.project_qkv(*(one.to("meta") for one in given)), "x")


@exercise("scaled_dot_product_attention")
def test_two_queries_and_three_keys(student: LocalStudent) -> None:
    """The queries of notebook 1 get 0.5065, 0.1863 and 0.3072; of width 2, 0.3302 and 0.6698."""
    found = student.scaled_dot_product_attention(_QUERIES, _KEYS, _VALUES)
    expect_output_and_weights(found, _OUTPUT, _WEIGHTS, _AXES, _weights_are_special, _not_averaged)
    expect_inputs_unchanged(student)
    q, k = torch.tensor([[1.0, 1.0]]), torch.tensor([[1.0, 0.0], [0.0, 2.0]])
    output, weights = torch.tensor([[6.69761549]]), torch.tensor([[0.33023845, 0.66976155]])
    found = student.scaled_dot_product_attention(q, k, torch.tensor([[0.0], [10.0]]))
    expect_output_and_weights(found, output, weights, _AXES, _weights_are_special, _not_averaged)


@exercise("scaled_dot_product_attention")
def test_a_mask_hides_a_key(student: LocalStudent) -> None:
    """The mask hides sat from The: the other two keys share out the whole."""
    mask = torch.tensor([[True, True, False], [True, True, True]])
    weights, output = _WEIGHTS.clone(), _OUTPUT.clone()
    weights[0] = torch.tensor([0.73105858, 0.26894142, 0.0])
    output[0] = torch.tensor([2.92423431, 2.15153137])
    found = student.scaled_dot_product_attention(_QUERIES, _KEYS, _VALUES, mask)
    expect_output_and_weights(found, output, weights, _AXES, _mask_is_special, _not_averaged)
    expect_inputs_unchanged(student)


@exercise("scaled_dot_product_attention")
def test_a_batch_with_heads_in_half_precision(student: LocalStudent) -> None:
    """With batch and heads, each is as if alone, in float16; each text has a mask of its own."""
    q, k, v = (drawn(2, 3, *shape).half() for shape in ((4, 6), (5, 6), (5, 7)))
    mask = torch.tensor([[True, True, True, True, False], [True, False, True, True, True]])
    mask = mask[:, None, None]  # (batch, 1, 1, keys)
    alone = each_alone(
        student.scaled_dot_product_attention, q, k, v, mask.expand(2, 3, 1, 5).clone()
    )
    _expect_hidden(alone, mask)
    axes = "(batch, heads, queries, d_v)", "(batch, heads, queries, keys)"
    found = student.scaled_dot_product_attention(q, k, v, mask)
    output, weights = (part.half() for part in alone)
    expect_output_and_weights(found, output, weights, axes, _mask_is_special, _not_averaged)
    expect_inputs_unchanged(student)


@exercise("scaled_dot_product_attention")
def test_a_small_weight_is_heard(student: LocalStudent) -> None:
    """A weight of 0.0000061 brings 0.6144 of a value of 100,000."""
    q, k = torch.tensor([[2.0, 0.0, 0.0, 0.0]]), torch.tensor([[12.0, 0.0, 0.0, 0.0], [0.0] * 4])
    weights = torch.tensor([[0.99999386, 0.00000614]], dtype=torch.float64)
    output = torch.tensor([[0.61441]], dtype=torch.float64)
    v = torch.tensor([[0.0], [100000.0]])
    found = student.scaled_dot_product_attention(q.double(), k.double(), v.double())
    expect_output_and_weights(found, output, weights, _AXES, None, _not_averaged)


@exercise("scaled_dot_product_attention")
def test_gradients_come_back_to_all_three(student: LocalStudent) -> None:
    """Gradients reach queries, keys and values, and both results are made where they are."""
    q, k, v = drawn(4, 6), drawn(5, 6), drawn(5, 3)
    mask = torch.ones(4, 5).tril(1).bool()
    found = student.grad("scaled_dot_product_attention", q, k, v, mask, upstream=drawn(4, 3))
    expect_gradients(found, "q", "k", "v")
    given = [one.to("meta") for one in (q, k, v, mask)]
    for count in (3, 4):
        expect_on_meta(lambda some=given[:count]: student.scaled_dot_product_attention(*some), "q")


def _expect_hidden(alone: Sequence[Tensor], mask: Tensor) -> None:
    """State that what a single text and head give are an output and weights under the mask."""
    if len(alone) != 2:
        says = "Two tensors are promised: the output, and the weights."
        raise Mismatch(f"{len(alone)} values", "two tensors", says)
    weights = alone[1]
    if weights.shape[-1] == mask.shape[-1] and bool(weights[~mask.expand(weights.shape)].any()):
        says = "The hidden key gets a share. In this course True in a mask means allowed."
        raise Mismatch("a weight above 0", "a weight of exactly 0 where the mask is False", says)


def _expect_three(found: Any, wanted: Sequence[Tensor], hint: Hint | None = None) -> None:
    """State what the queries, the keys and the values must be."""
    if not isinstance(found, (tuple, list)) or len(found) != 3:
        says = "Three tensors are promised, one for each matrix. What does your code return?"
        raise Mismatch(form_text(found), "three tensors: q, k and v", says)
    named = dict(zip("qkv", wanted, strict=True))
    for name, part, axes in zip("qkv", found, _FORMS, strict=True):
        right = named[name]
        lead = "(" if right.ndim == 2 else "(batch, "
        others = {other: one for other, one in named.items() if not torch.equal(one, right)}
        special = partial(_of_three_is_special, name, others, hint)
        expect_part(name, part, right, lead + axes[1:], special)


def _of_three_is_special(
    name: str, others: dict[str, Tensor], hint: Hint | None, found: np.ndarray
) -> str | None:
    for other, right in others.items():
        if same(found, right.double()):
            return (
                f"In the place of {name} stands what is right for {other}. Which matrix makes "
                f"{name}, and in which order do the three come back?"
            )
    return hint(found) if hint is not None else None


def _turned_is_special(found: np.ndarray) -> str | None:
    if any(same(found, factor * np.array([[1.0, 3.0]])) for factor in (1, 10, 100)):
        return "This is the matrix's first column. Which of its axes is as long as a token is wide?"
    return None


def _not_averaged(_: np.ndarray) -> str:
    return "The weights are right; the output is not the average of the values that they say."


def _weights_are_special(weights: np.ndarray) -> str | None:
    products = (_QUERIES @ _KEYS.mT).numpy()
    if weights.shape != products.shape:
        return None
    for root, says in (
        (1.0, "Your scores are plain dot products. Which division is missing?"),
        (4.0, "You divide by the width itself. What does the formula do with it first?"),
        (np.sqrt(2), "You divide by another root. Whose width is it that counts?"),
        (np.sqrt(3), "You divide by another root: of a number of vectors, not of their width."),
        (0.5, "Your scores grow with the width twice over. Multiply, or divide?"),
    ):
        if same(weights, _softmax(products / root)):
            return says
    if same(weights, products / 2):
        return "These are the scores. What turns them into weights?"
    return shared_by_columns(weights)


def _mask_is_special(weights: np.ndarray) -> str | None:
    if weights.shape != (2, 3):
        if weights.ndim == 4 and same(weights[..., -1], np.ones(weights.shape[:-1])):
            return "The hidden key gets everything. In this course True in a mask means allowed."
        return None
    if same(weights, _WEIGHTS.numpy()):
        return "The mask changes nothing. Where does what masking gives back go?"
    if same(weights[0], np.array([0.0, 0.0, 1.0])):
        return "Only the hidden key is left. In this course True in a mask means allowed."
    by_columns = shared_by_columns(weights)
    if by_columns:  # the mask may be right, and softmax alone wrong
        return by_columns
    if abs(weights[0, 2]) < 1e-6 and not sums_to_one(weights, -1):
        return "The hidden key is 0, but the others do not sum to 1. Mask earlier: the scores."
    if weights[0, 2] > 1e-4:
        return "The hidden key still gets a share. Which score has a share of exactly 0?"
    return None


def _softmax(scores: np.ndarray) -> np.ndarray:
    weights = np.exp(scores)
    shares: np.ndarray = weights / weights.sum(axis=-1, keepdims=True)
    return shares
