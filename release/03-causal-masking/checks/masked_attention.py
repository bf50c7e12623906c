"""Visible checks of 03-causal-masking: what masks do to scores, weights and outputs."""

import numpy as np
import torch
from torch import Tensor

from checks.apart import drawn, each_alone
from checks.devices_and_gradients import expect_gradients, expect_on_meta
from checks.drawn_masks import allowed
from checks.kit.errors import StudentError
from checks.kit.examples import example
from checks.kit.expectation import (
    Mismatch,
    exercise,
    expect,
    expect_inputs_unchanged,
    expect_value_error,
    same,
)
from checks.kit.local_student import LocalStudent
from checks.weights import AttentionMap, expect_output_and_weights, shared_by_columns

_TOKENS = ("The", "cat", "sat", "on")
_CAUSAL = allowed("x.. xx. xxx")
_EYE = torch.eye(3)
# For three one-hot tokens, unscaled: e / (e + 1) and 1 / (e + 1); e / (e + 2) and 1 / (e + 2).
_TWO, _THREE = (0.73105858, 0.26894142), (0.57611688, 0.21194156)
_ONE_HOT = torch.tensor(
    [[1.0, 0.0, 0.0], [_TWO[1], _TWO[0], 0.0], [_THREE[1], _THREE[1], _THREE[0]]]
)


@example(
    "additive_mask", picture=AttentionMap("additive_mask(mask, torch.float32)", _TOKENS, _TOKENS)
)
def numbers_for_four_tokens(student: LocalStudent) -> Tensor:
    """What is added to the scores of four tokens under a causal mask."""
    mask = allowed("x... xx.. xxx. xxxx")
    bias: Tensor = student.additive_mask(mask, torch.float32)
    return bias


@exercise("additive_mask")
def test_allowed_and_forbidden(student: LocalStudent) -> None:
    """Allowed becomes 0 and forbidden becomes minus infinity."""
    mask = torch.tensor([[True, False], [True, True]])
    wanted = torch.tensor([[0.0, -torch.inf], [0.0, 0.0]])
    bias = student.additive_mask(mask, torch.float32)
    expect(bias, wanted, "those of the mask", _what_is_added)
    expect_inputs_unchanged(student)
    if bool((bias[mask] != 0).any()):
        says = "Close to 0 is not 0: allowed scores would change a little."
        raise Mismatch(f"{bias[mask].abs().max().item():.1e} where allowed", "exactly 0", says)


@exercise("additive_mask")
def test_half_precision(student: LocalStudent) -> None:
    """float16 can hold minus infinity, as bfloat16 and float64 can."""
    mask = torch.tensor([True, False, True])
    for dtype in (torch.bfloat16, torch.float16, torch.float64):
        wanted = torch.tensor([0.0, -torch.inf, 0.0], dtype=dtype)
        try:
            bias = student.additive_mask(mask, dtype)
        except StudentError as error:
            if "overflow" not in error.message:
                raise
            says = "float16 ends at 65504. Which number below it can float16 hold all the same?"
            raise Mismatch(str(error), "0 and minus infinity in float16", says) from None
        expect(bias, wanted, "those of the mask", _what_is_added)


@exercise("additive_mask")
def test_a_mask_for_a_batch(student: LocalStudent) -> None:
    """A mask of four dimensions keeps its shape."""
    mask = torch.tensor([[True, False, True], [True, True, False]])[:, None, None]
    wanted = torch.tensor([[0.0, -torch.inf, 0.0], [0.0, 0.0, -torch.inf]])[:, None, None]
    expect(student.additive_mask(mask, torch.float32), wanted, "those of the mask", _what_is_added)


@exercise("additive_mask")
def test_the_numbers_are_where_the_mask_is(student: LocalStudent) -> None:
    """The result is made on the device of the mask."""
    mask = torch.ones(3, 5, dtype=torch.bool, device="meta")
    expect_on_meta(lambda: student.additive_mask(mask, torch.float32), "mask")


@example(
    "masked_softmax",
    picture=AttentionMap(
        "masked_softmax(scores, mask); The: nothing allowed", _TOKENS, _TOKENS, row_sums=True
    ),
)
def weights_with_an_empty_row(student: LocalStudent) -> Tensor:
    """The weights of four tokens, the first of which is padding."""
    scores = torch.tensor([[1.0, 0.0, 2.0, 0.0], [0.0, 1.0, 3.0, 1.0], [1.0, 0, 2, 9], [0.0] * 4])
    mask = allowed("x... xx.. xxx. xxxx") & torch.tensor([False, True, True, True])
    weights: Tensor = student.masked_softmax(scores, mask)
    return weights


@exercise("masked_softmax")
def test_three_tokens_with_a_causal_mask(student: LocalStudent) -> None:
    """Scores of 1 on the diagonal and 0 elsewhere, under a causal mask."""
    weights = student.masked_softmax(_EYE, _CAUSAL)
    expect(weights, _ONE_HOT, "(queries, keys)", _weights_are_special)
    expect_inputs_unchanged(student)


@exercise("masked_softmax")
def test_forbidden_weights_are_exactly_zero(student: LocalStudent) -> None:
    """A forbidden score of 10,000 gets a weight of exactly 0."""
    scores, mask = torch.tensor([[0.0, 1e4, 0.0]]), torch.tensor([[True, False, True]])
    weights = student.masked_softmax(scores, mask)
    expect(weights, torch.tensor([[0.5, 0.0, 0.5]]), "(queries, keys)", _huge_is_special)
    if weights[0, 1] != 0:
        says = "Close to 0 is not 0. Which score has an exponential of exactly 0?"
        raise Mismatch(f"a forbidden weight of {weights[0, 1].item():.1e}", "exactly 0", says)


@exercise("masked_softmax")
def test_a_row_where_nothing_is_allowed(student: LocalStudent) -> None:
    """Where nothing is allowed, the weights are 0; the row below is as always."""
    scores = torch.tensor([[1.0, 2.0], [0.0, 0.0]])
    weights = student.masked_softmax(scores, torch.tensor([[False, False], [True, True]]))
    expect(weights, torch.tensor([[0.0, 0.0], [0.5, 0.5]]), "(queries, keys)", _dead_is_special)


@exercise("masked_softmax")
def test_no_nan_on_the_way_back(student: LocalStudent) -> None:
    """No gradient is NaN, even where nothing is allowed."""
    mask = torch.tensor([[False, False], [True, True]])
    upstream = torch.tensor([[1.0, 2.0], [1.0, 2.0]])
    found = student.grad("masked_softmax", torch.zeros(2, 2), mask, upstream=upstream)
    gradient = found.inputs[0]
    wanted = "gradients (0, 0) and (-0.25, 0.25)"
    if gradient is None:
        says = "No gradient reaches the scores. Which step cuts your weights off from them?"
        raise Mismatch("no gradient", wanted, says)
    if bool(gradient.isnan().any()):
        says = (
            "The weights may look right, but a NaN that is painted over comes back in the "
            "gradient. Can you keep it from arising?"
        )
        raise Mismatch("nan in the gradient", wanted, says)
    expect(gradient, torch.tensor([[0.0, 0.0], [-0.25, 0.25]]), "(queries, keys)")


@exercise("masked_softmax")
def test_one_mask_for_a_batch_in_float16(student: LocalStudent) -> None:
    """A mask of (batch, 1, 1, keys) broadcasts, in float16; weights are made where scores are."""
    mask = torch.tensor([[True, True, False, True], [True, False, True, True]])[:, None, None]
    scores = drawn(2, 3, 5, 4).half()
    (wanted,) = each_alone(student.masked_softmax, scores, mask.expand(2, 3, 1, 4).clone())
    weights = student.masked_softmax(scores, mask)
    expect(weights, wanted.half(), "(batch, heads, queries, keys)", _weights_are_special)
    away = torch.ones(2, 3, 5, device="meta")
    expect_on_meta(lambda: student.masked_softmax(away, away > 0), "scores")


@example(
    "causal_attention",
    picture=AttentionMap("weights of causal_attention", _TOKENS, _TOKENS, row_sums=True),
)
def causal_weights_of_four_tokens(student: LocalStudent) -> Tensor:
    """The weights that four tokens give each other and their past."""
    x = torch.tensor([[1.0, 0, 1, 0], [0, 1, 0, 1], [1, 1, 0, 0], [0, 2, 0, 0]])
    weights: Tensor = student.causal_attention(x, x, x)[1]
    return weights


@exercise("causal_attention")
def test_three_one_hot_tokens(student: LocalStudent) -> None:
    """Tokens of width 4 that score 1 with themselves; then query 1 alone asks; then width 2."""
    k, v = torch.eye(3, 4), torch.tensor([[0.0], [10.0], [20.0]])
    output = torch.tensor([[0.0], [7.31058579], [13.6417532]])
    found = student.causal_attention(2 * k, k, v)
    axes = "(queries, d_v)", "(queries, keys)"
    expect_output_and_weights(found, output, _ONE_HOT, axes, _attention_is_special)
    expect_inputs_unchanged(student)
    asking = torch.tensor([[0.0] * 4, [2.0, 0.0, 0.0, 0.0], [0.0] * 4])
    weights = torch.tensor([[1.0, 0.0, 0.0], [_TWO[0], _TWO[1], 0.0], [1 / 3] * 3])
    output = torch.tensor([[0.0], [2.68941421], [10.0]])
    found = student.causal_attention(asking, k, v)
    expect_output_and_weights(found, output, weights, axes, _attention_is_special)
    q, k = torch.tensor([[0.0, 0.0], [1.0, 1.0]]), torch.tensor([[1.0, 0.0], [0.0, 2.0]])
    weights = torch.tensor([[1.0, 0.0], [0.33023845, 0.66976155]])
    output = torch.tensor([[0.0], [6.69761549]])
    found = student.causal_attention(q, k, v[:2])
    expect_output_and_weights(found, output, weights, axes, _attention_is_special)


@exercise("causal_attention")
def test_the_future_has_no_effect(student: LocalStudent) -> None:
    """Numbers of 1e30 or 3e38 in the last token leave every bit before it as it was."""
    x = torch.tensor([[[[1.0, 0.5], [0.25, -1.0], [0.5, 0.75], [1.5, 1.0]]]])
    before = student.causal_attention(x, x, x)[0][..., :-1, :]
    for number in (1e30, 3e38):
        changed = x.clone()
        changed[..., -1, :] = number
        after = student.causal_attention(changed, changed, changed)[0][..., :-1, :]
        if torch.equal(before, after):
            continue
        says = "A change in the future reaches the past. Is each forbidden weight exactly 0?"
        if number > 1e30:
            says = "The last key makes scores infinite. What is infinity minus infinity?"
        raise Mismatch("other outputs before the last", "the same outputs, bit for bit", says)


@exercise("causal_attention")
def test_batch_and_heads(student: LocalStudent) -> None:
    """In a batch of 2 with 3 heads, each head is as if it were alone; a single position too."""
    q, k, v = (drawn(2, 3, 4, wide) for wide in (6, 6, 5))
    axes = "(batch, heads, queries, d_v)", "(batch, heads, queries, keys)"
    alone = each_alone(student.causal_attention, q, k, v)
    if len(alone) != 2:
        says = "Two tensors are promised: the output, and the weights."
        raise Mismatch(f"{len(alone)} values", "two tensors", says)
    wanted = alone[0].reshape(2, 3, 4, 5).double(), alone[1].reshape(2, 3, 4, 4).double()
    found = student.causal_attention(q, k, v)
    expect_output_and_weights(found, *wanted, axes, _attention_is_special)
    one = [part[..., :1, :] for part in (q, k, v)]
    found = student.causal_attention(*one)
    expect_output_and_weights(found, one[2], torch.ones(2, 3, 1, 1).double(), axes)


@exercise("causal_attention")
def test_gradients_come_back_to_all_three(student: LocalStudent) -> None:
    """Gradients reach queries, keys and values, and everything is made where they are."""
    q, k, v = drawn(4, 6), drawn(4, 6).flip(0), drawn(4, 5)
    found = student.grad("causal_attention", q, k, v, upstream=drawn(4, 5).flip(0))
    expect_gradients(found, "q", "k", "v")
    expect_on_meta(lambda: student.causal_attention(*(t.to("meta") for t in (q, k, v))), "q")


@exercise("causal_attention")
def test_another_number_of_keys(student: LocalStudent) -> None:
    """Two queries and five keys are refused."""
    q, k = torch.zeros(2, 4), torch.zeros(5, 4)
    expect_value_error(lambda: student.causal_attention(q, k, k), (2, 5))


def _what_is_added(bias: np.ndarray) -> str | None:
    if bias.dtype == bool:
        return (
            "These are True and False. Numbers to add are wanted, of the dtype that is asked for."
        )
    if np.isnan(bias).any():
        return "0 times infinity is nan. Can you choose between two values without multiplying?"
    if bias.shape != (2, 2):
        return None
    if bias[0, 0] == -np.inf:
        return "Your infinities stand where attention is allowed: True means allowed."
    if bias[0, 1] == np.inf:
        return "Plus infinity makes a key win everything. Which infinity has an exponential of 0?"
    if np.isfinite(bias[0, 1]) and bias[0, 1] < -1:
        return "A large negative number is not minus infinity: another number can outweigh it."
    if bias[0, 0] != 0:
        return "Allowed scores would change. Which number changes nothing when it is added?"
    return None


def _weights_are_special(weights: np.ndarray) -> str | None:
    if weights.ndim < 2 or not np.isfinite(weights).all():
        return None
    if weights.shape == (3, 3) and same(weights, torch.softmax(_EYE, -1).numpy()):
        return (
            "The mask has no effect on these weights. Is the result of masking kept, and does a "
            "forbidden score still earn a weight?"
        )
    if weights.shape == (3, 3) and same(weights, (torch.softmax(_EYE, -1) * _CAUSAL).numpy()):
        return "Your rows no longer sum to 1: some weights were removed after they were shared out."
    if weights.shape == (3, 3) and np.triu(weights, 1).any():
        return "Some weight above the diagonal is not 0. Which keys does the mask forbid?"
    return shared_by_columns(weights)


def _huge_is_special(weights: np.ndarray) -> str | None:
    if weights.shape == (1, 3) and (weights[0, 1] > 0.5 or not weights[0, 0] > 0.1):
        return "The forbidden score of 10,000 takes everything. Does the mask come before softmax?"
    return _weights_are_special(weights)


def _dead_is_special(weights: np.ndarray) -> str | None:
    if weights.shape != (2, 2):
        return None
    if np.isnan(weights[0]).any():
        return (
            "A row of minus infinities gives nan in softmax, since 0 / 0 is nan. What could such a "
            "row hold instead, if its weights are set to 0 anyway?"
        )
    if weights[0].any():
        return "The first query may attend to nothing, yet it shares out something."
    return None


def _attention_is_special(weights: np.ndarray) -> str | None:
    if weights.shape == (3, 3):
        unscaled = torch.softmax((_EYE * 2).masked_fill(~_CAUSAL, -torch.inf), -1)
        if same(weights, unscaled.numpy()):
            return "Your weights are sharper than they should be. Which step tames the scores?"
    return _weights_are_special(weights)
