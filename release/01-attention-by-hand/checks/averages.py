"""Visible checks of 01-attention-by-hand: weighted_values and simple_attention."""

import math

import numpy as np
import torch
from torch import Tensor

from checks.apart import drawn, each_alone
from checks.devices_and_gradients import expect_gradients, expect_on_meta
from checks.kit.examples import example
from checks.kit.expectation import exercise, expect, expect_inputs_unchanged, same, sums_to_one
from checks.kit.local_student import LocalStudent
from checks.kit.pictures import Heatmap
from checks.weights import AttentionMap, expect_output_and_weights

_NAMES = ("The", "cat", "sat")
_TOKENS = torch.tensor([[1.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 1.0], [1.0, 1.0, 0.0, 0.0]])
_WEIGHTS = torch.tensor([[0.5, 0.0, 0.5], [0.25, 0.5, 0.25]])  # two queries, three keys
_VALUES = torch.tensor([[4.0, 0.0], [0.0, 8.0], [2.0, 2.0]])
_ITSELF, _OTHERS = 0.57611688, 0.21194156  # e / (e + 2) and 1 / (e + 2)
_AXES = "(seq, d)", "(seq, seq)"


@example(
    "weighted_values",
    picture=Heatmap(
        "weighted_values(weights, v)",
        rows=("query 0", "query 1"),
        columns=("feature 0", "feature 1"),
        rows_are="queries",
        columns_are="features of the output",
    ),
)
def averages_of_three_values(student: LocalStudent) -> Tensor:
    """What two queries get from three values."""
    output: Tensor = student.weighted_values(_WEIGHTS, _VALUES)
    return output


@example(
    "simple_attention",
    picture=AttentionMap("weights of simple_attention(x)", _NAMES, _NAMES, row_sums=True),
)
def weights_by_raw_similarity(student: LocalStudent) -> object:
    """The weights of three tokens that attend by raw similarity."""
    found: object = student.simple_attention(_TOKENS)
    return found[1] if isinstance(found, (tuple, list)) and len(found) == 2 else found


@exercise("weighted_values")
def test_three_values_by_hand(student: LocalStudent) -> None:
    """The two queries and three values of the table above."""
    output = student.weighted_values(_WEIGHTS, _VALUES)
    wanted = torch.tensor([[3.0, 1.0], [1.5, 4.5]])
    expect(output, wanted, "(queries, d_v)", _average_is_special)
    expect_inputs_unchanged(student)


@exercise("weighted_values")
def test_a_weight_of_one_picks_a_value(student: LocalStudent) -> None:
    """A query that gives all its weight to one key gets that key's value."""
    chosen = torch.tensor([[0.0, 0.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])
    wanted = torch.tensor([[2.0, 2.0], [4.0, 0.0], [0.0, 8.0]])
    expect(student.weighted_values(chosen, _VALUES), wanted, "(queries, d_v)", _pick_is_special)


@exercise("weighted_values")
def test_values_may_have_a_width_of_their_own(student: LocalStudent) -> None:
    """Query i halves its weight between keys i and i + 1: with heads, more axes, in bfloat16."""
    halves = (torch.eye(4, 5) + torch.eye(5)[1:]) / 2
    for lead in ((2, 3), (2, 2, 3)):
        v = torch.arange(math.prod(lead) * 35).reshape(*lead, 5, 7).remainder(64).bfloat16()
        wanted = (v[..., :-1, :] + v[..., 1:, :]) / 2
        output = student.weighted_values(halves.bfloat16().expand(*lead, 4, 5).clone(), v)
        expect(output, wanted, "(batch, heads, queries, d_v)")
        expect_inputs_unchanged(student)


@exercise("weighted_values")
def test_a_small_weight_counts(student: LocalStudent) -> None:
    """A weight of 0.00002 on a value of 100,000 brings 2."""
    weights = torch.tensor([[0.99998, 0.00002]], dtype=torch.float64)
    v = torch.tensor([[0.0], [100000.0]], dtype=torch.float64)
    expect(student.weighted_values(weights, v), torch.tensor([[2.0]]).double(), "(queries, d_v)")


@exercise("weighted_values")
def test_weights_and_values_can_learn(student: LocalStudent) -> None:
    """Gradients reach weights and values, and the outputs are made where they are."""
    weights, v = drawn(4, 5).softmax(-1), drawn(5, 6)
    found = student.grad("weighted_values", weights, v, upstream=drawn(4, 6))
    expect_gradients(found, "weights", "v")
    expect_on_meta(lambda: student.weighted_values(weights.to("meta"), v.to("meta")), "v")


@exercise("simple_attention")
def test_tokens_with_nothing_in_common(student: LocalStudent) -> None:
    """Three rows of the identity give 0.5761 to themselves and 0.2119 to each other."""
    weights = _OTHERS + (_ITSELF - _OTHERS) * torch.eye(3)
    output = torch.cat([weights, torch.zeros(3, 1)], dim=-1)
    found = student.simple_attention(torch.eye(4)[:3])
    expect_output_and_weights(found, output, weights, _AXES, _similarity_is_special, _not_averaged)
    expect_inputs_unchanged(student)


@exercise("simple_attention")
def test_the_cat_sat(student: LocalStudent) -> None:
    """The, cat and sat, whose raw scores for The are 2, 0 and 1; and with 5 features of 0 more."""
    weights = torch.tensor(
        [
            [0.66524096, 0.09003057, 0.24472847],
            [0.09003057, 0.66524096, 0.24472847],
            [_OTHERS, _OTHERS, _ITSELF],
        ]
    )
    output = torch.tensor(
        [
            [0.90996943, 0.33475904, 0.66524096, 0.09003057],
            [0.33475904, 0.90996943, 0.09003057, 0.66524096],
            [0.78805844, 0.78805844, 0.21194156, 0.21194156],
        ]
    )
    for more in (0, 5):
        x, wanted = (torch.cat([part, torch.zeros(3, more)], -1) for part in (_TOKENS, output))
        found = student.simple_attention(x)
        expect_output_and_weights(
            found, wanted, weights, _AXES, _similarity_is_special, _not_averaged
        )


@exercise("simple_attention")
def test_a_batch_of_sequences(student: LocalStudent) -> None:
    """In a batch of 3, each text gets what it gets alone; float64 stays; gradients come back."""
    x = drawn(3, 5, 4)
    alone = [part.to(x.dtype) for part in each_alone(student.simple_attention, x)]
    axes = "(batch, seq, d)", "(batch, seq, seq)"
    expect_output_and_weights(
        student.simple_attention(x), *alone, axes, _similarity_is_special, _not_averaged
    )
    expect_inputs_unchanged(student)
    expect_gradients(student.grad("simple_attention", x, upstream=x.flip(1)), "x")
    expect_on_meta(lambda: student.simple_attention(x.to("meta")), "x")


@exercise("simple_attention")
def test_a_single_token(student: LocalStudent) -> None:
    """A single token gives itself a weight of 1, and gets itself back; in bfloat16, too."""
    x = torch.tensor([[0.5, -2.0, 3.0]])
    half = student.simple_attention(x.bfloat16())
    ones = torch.ones(1, 1).bfloat16()
    expect_output_and_weights(half, x.bfloat16(), ones, _AXES, None, _not_averaged)
    found = student.simple_attention(x)
    expect_output_and_weights(found, x, torch.ones(1, 1), _AXES, None, _not_averaged)


@exercise("simple_attention")
def test_a_small_weight_is_heard(student: LocalStudent) -> None:
    """A weight of 0.0000048 brings 0.4785 of a feature of 100,000."""
    x = torch.tensor([[3.5, 0.0], [0.0, 100000.0]], dtype=torch.float64)
    weights = torch.tensor([[0.99999521, 0.00000479], [0.0, 1.0]], dtype=torch.float64)
    output = torch.tensor([[3.49998325, 0.47851], [0.0, 100000.0]], dtype=torch.float64)
    found = student.simple_attention(x)
    expect_output_and_weights(found, output, weights, _AXES, None, _not_averaged)


def _average_is_special(found: np.ndarray) -> str | None:
    if same(found, (_WEIGHTS @ _VALUES).numpy() / 3):
        return "Everything is a third of what it should be. The weights sum to 1 already."
    if same(found, (torch.softmax(_WEIGHTS, -1) @ _VALUES).numpy()):
        return "Your weights were made nearly equal first. They are weights already, not scores."
    if same(found, np.array([[2.0, 10 / 3], [2.0, 10 / 3]])):
        return "Every query got the plain average. Where do its own weights enter?"
    return None


def _pick_is_special(found: np.ndarray) -> str | None:
    if same(found, np.array([[0.0, 8.0], [2.0, 2.0], [4.0, 0.0]])):
        return "Each value went to another query than the one that asked. Which axis is its own?"
    return None


def _not_averaged(_: np.ndarray) -> str:
    return "The weights are right; the output is not the average of the tokens that they say."


def _similarity_is_special(weights: np.ndarray) -> str | None:
    if weights.ndim < 2 or not np.isfinite(weights).all():
        return None
    rows, columns = weights.shape[-2:]
    if rows != columns:
        return "The second value must be the weights: as many columns as rows. Did they come first?"
    scaled = np.exp(np.eye(rows) / 2)  # for tokens of width 4 with nothing in common
    if same(weights, scaled / scaled.sum(-1, keepdims=True)):
        return "The scores were scaled. Here tokens attend by their plain dot products."
    if same(weights, np.eye(rows)):
        return "These weights are 0 and 1 exactly. What share does softmax give a score of 0?"
    if not sums_to_one(weights, -1):
        return "The second value must be weights: each token shares out 1 among all tokens."
    return None
