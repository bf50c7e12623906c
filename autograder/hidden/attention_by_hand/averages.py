"""Hidden graders of 01-attention-by-hand: weighted_values and simple_attention."""

from typing import Any

import pytest
import torch
from torch import Tensor

import autograder.hidden.attention_by_hand.by_hand_probe  # noqa: F401 - registers the probes
from autograder.hidden.attention_by_hand.steps import steps
from autograder.judging import (
    Wrong,
    assert_gradients_match,
    assert_matches,
    assert_right,
    assert_stays_on_meta,
    exercise,
    expected,
)
from autograder.judging.draw import Draw
from autograder.judging.properties import assert_inputs_unchanged, assert_varied
from solutions import attention_by_hand as reference
from solutions.attention_by_hand import weighted_values

PARTS = ("dot_product_scores", "attention_weights", "weighted_values")  # to build on


def _weights(draw: Draw, *shape: int, dtype: torch.dtype = torch.float64) -> Tensor:
    return draw.normal(*shape, dtype=torch.float64).softmax(-1).to(dtype)


@exercise("weighted_values")
@pytest.mark.points(4)
def test_each_query_gets_the_weighted_sum_of_all_values(student: Any, draw: Draw) -> None:
    """A query's output is the sum of all values, each times the query's weight for it."""
    again = ((2,), 5, 7, 10)  # once more, with new values that show a result that was kept
    one = ((1,), 1, 6, 2)
    for lead, queries, keys, d_v in (
        *(again, ((), 4, 9, 3), ((3, 2), 6, 4, 5), ((), 5, 5, 8), one, again),
    ):
        weights = _weights(draw, *lead, queries, keys)
        v = draw.normal(*lead, keys, d_v, dtype=torch.float64)
        wanted = expected(reference.weighted_values, weights, v)
        assert_matches(student.weighted_values(weights, v), wanted)
    weights = torch.from_numpy(steps(draw)).softmax(-1)  # some of them a few millionths
    v = draw.normal(29, 3, dtype=torch.float64)
    wanted = expected(reference.weighted_values, weights, v)
    assert_matches(student.weighted_values(weights, v), wanted)


@exercise("weighted_values")
@pytest.mark.points(1.5)
def test_a_weight_of_one_hands_over_that_value(student: Any, draw: Draw) -> None:
    """A query that gives all its weight to one key gets that key's value as it is."""
    for queries, keys in ((3, 5), (4, 4)):
        chosen = torch.arange(queries).roll(1) + keys - queries
        weights = torch.zeros(queries, keys).scatter(-1, chosen[:, None], 1.0)
        v = draw.normal(keys, 6)
        assert_matches(student.weighted_values(weights, v), v[chosen])


@exercise("weighted_values")
@pytest.mark.points(1)
def test_an_average_of_equals_is_their_value(student: Any, draw: Draw) -> None:
    """Where all values are the same, every query gets that value, whatever its weights."""
    for queries, keys in ((5, 4), (6, 6)):
        v = draw.normal(2, 1, 7).expand(2, keys, 7).clone()
        found = student.weighted_values(_weights(draw, 2, queries, keys, dtype=v.dtype), v)
        wanted = v[:, :1].expand(2, queries, 7)
        assert_varied(found, wanted)
        if not torch.allclose(found, wanted.to(found.dtype), rtol=1e-4, atol=1e-4):
            raise Wrong("Where all values are the same, something else than that value comes out.")


@exercise("weighted_values")
@pytest.mark.points(1)
def test_batch_and_heads_are_kept_apart(student: Any, draw: Draw) -> None:
    """Each batch entry and head averages its own values; they may be views of larger tensors."""
    for heads in (3, 4):
        weights = _weights(draw, 2, 5, heads, 7).transpose(1, 2)
        v = draw.normal(2, 7, heads, 4, dtype=torch.float64).transpose(1, 2)
        wanted = expected(reference.weighted_values, weights, v)
        assert_matches(student.weighted_values(weights, v), wanted)


@exercise("weighted_values")
@pytest.mark.points(1)
def test_gradients_reach_weights_and_values(student: Any, draw: Draw) -> None:
    """Both the weights and the values get the right gradient."""
    weights, v = _weights(draw, 2, 4, 5), draw.normal(2, 5, 3, dtype=torch.float64)
    upstream = draw.normal(2, 4, 3, dtype=torch.float64)
    found = student.grad("weighted_values", weights, v, upstream=upstream)
    assert_gradients_match(found, reference.weighted_values, weights, v, upstream=upstream)


@exercise("weighted_values")
@pytest.mark.points(0.5)
def test_half_precision_averages_keep_their_dtype(student: Any, draw: Draw) -> None:
    """Weights and values in bfloat16 and float16 give outputs in the same dtype."""
    for dtype in (torch.bfloat16, torch.float16):
        weights, v = _weights(draw, 2, 5, 7, dtype=dtype), draw.normal(2, 7, 10, dtype=dtype)
        wanted = expected(reference.weighted_values, weights, v)
        assert_matches(student.weighted_values(weights, v), wanted)


@exercise("weighted_values")
@pytest.mark.points(0.5)
def test_weights_and_values_are_left_as_they_were(student: Any, draw: Draw) -> None:
    """The tensors that are passed in still hold the same values afterwards."""
    for lead in ((), (2, 3)):
        weights, v = _weights(draw, *lead, 5, 7, dtype=torch.float32), draw.normal(*lead, 7, 4)
        assert_inputs_unchanged(student, student.weighted_values(weights, v))


@exercise("weighted_values")
@pytest.mark.points(0.5)
def test_averages_stay_on_the_device_of_the_values(student: Any) -> None:
    """The outputs are made on the device of the values, with no detour through the CPU or NumPy."""
    weights, v = torch.empty(2, 5, 7, device="meta"), torch.empty(2, 7, 4, device="meta")
    wanted = torch.empty(2, 5, 4, device="meta")
    assert_stays_on_meta(lambda: student.weighted_values(weights, v), wanted, reading=True)


@exercise("simple_attention")
@pytest.mark.points(4)
def test_tokens_attend_by_their_plain_dot_products(student: Any, draw: Draw) -> None:
    """The weights are softmax of the unscaled dot products, the output the tokens weighted so."""
    again = ((2,), 5, 3)  # once more, with new values that show a result that was kept
    one = ((1,), 6, 4)
    for lead, seq, d in (again, ((), 7, 4), ((3, 2), 4, 6), ((), 5, 5), ((), 9, 12), one, again):
        x = draw.normal(*lead, seq, d, dtype=torch.float64, scale=0.8)
        found = student.simple_attention(x)
        assert_right(found, reference.simple_attention, student, PARTS, x)


@exercise("simple_attention")
@pytest.mark.points(1)
def test_the_output_comes_first_and_the_weights_second(student: Any, draw: Draw) -> None:
    """Two tensors come back: the output, shaped like x, and the weights, (..., seq, seq)."""
    for lead, seq, d in (((), 6, 4), ((2,), 3, 7)):
        x = draw.normal(*lead, seq, d)
        output, weights = _pair(student.simple_attention(x))
        assert_varied(output, x)
        assert_varied(weights, torch.empty(*lead, seq, seq))


@exercise("simple_attention")
@pytest.mark.points(1.5)
def test_the_output_is_the_average_that_the_weights_say(student: Any, draw: Draw) -> None:
    """The output is made with the very weights that come back."""
    x = draw.normal(3, 5, 4, dtype=torch.float64, scale=0.7)
    output, weights = _pair(student.simple_attention(x))
    assert_varied(weights, torch.empty(3, 5, 5, dtype=x.dtype))
    own = weights.to(x.dtype)  # another dtype costs elsewhere
    assert_right(output, _averaged, student, ("weighted_values",), own, x)


@exercise("simple_attention")
@pytest.mark.points(1)
def test_reordering_the_tokens_reorders_what_comes_out(student: Any, draw: Draw) -> None:
    """When the tokens change places, outputs and weights go with them and stay what they are."""
    x = draw.normal(6, 4, dtype=torch.float64, scale=0.7)
    output, weights = _pair(student.simple_attention(x))
    turned_output, turned_weights = _pair(student.simple_attention(x.flip(0)))
    for result in (output, turned_output):
        assert_varied(result, x)
    for result in (weights, turned_weights):
        assert_varied(result, torch.empty(6, 6, dtype=x.dtype))
    for one, other in ((output.flip(0), turned_output), (weights.flip(0, 1), turned_weights)):
        if not torch.allclose(one.double(), other.double(), rtol=0, atol=1e-6):
            raise Wrong("What a token gets depends on where it stands among the others.")


@exercise("simple_attention")
@pytest.mark.points(1)
def test_long_tokens_give_finite_weights(student: Any, draw: Draw) -> None:
    """Tokens so long that their scores reach ten thousand still give the right finite weights."""
    x = (draw.normal(5, 4, dtype=torch.float64) * 8).round() / 8 * 60  # float32 holds them exactly
    found = student.simple_attention(x)
    assert_right(found, reference.simple_attention, student, PARTS, x)


@exercise("simple_attention")
@pytest.mark.points(1)
def test_gradients_reach_the_tokens_on_every_path(student: Any, draw: Draw) -> None:
    """The tokens get their gradient as queries, as keys and as values together."""
    x, upstream = (draw.normal(2, 5, 3, dtype=torch.float64, scale=0.8) for _ in range(2))
    found = student.grad("simple_attention", x, upstream=upstream)
    value = found.value
    if assert_right(value, reference.simple_attention, student, PARTS, x):
        assert_gradients_match(found, reference.simple_attention, x, upstream=upstream)
    elif found.inputs[0] is None:
        raise Wrong("No gradient reaches the tokens.")


@exercise("simple_attention")
@pytest.mark.points(0.5)
def test_tokens_in_half_precision_keep_their_dtype(student: Any, draw: Draw) -> None:
    """Tokens in bfloat16 and float16 give output and weights in the same dtype."""
    for dtype in (torch.bfloat16, torch.float16):
        x = draw.normal(2, 5, 3, dtype=dtype, scale=0.5)
        found = student.simple_attention(x)
        assert_right(found, reference.simple_attention, student, PARTS, x)


@exercise("simple_attention")
@pytest.mark.points(0.5)
def test_the_tokens_are_left_as_they_were(student: Any, draw: Draw) -> None:
    """The tensor that is passed in still holds the same values afterwards."""
    for lead in ((), (2, 3)):
        output, _ = _pair(student.simple_attention(draw.normal(*lead, 5, 4)))
        assert_inputs_unchanged(student, output)


@exercise("simple_attention")
@pytest.mark.points(0.5)
def test_everything_stays_on_the_device_of_the_tokens(student: Any) -> None:
    """The output is made on the device of the tokens, with no detour through the CPU or NumPy."""
    x = torch.empty(2, 5, 4, device="meta")
    assert_stays_on_meta(lambda: _pair(student.simple_attention(x))[0], x, reading=True)


def _averaged(weights: Tensor, v: Tensor) -> Tensor:
    """What weighted_values gives, the reference's or the student's own."""
    averages: Tensor = weighted_values(weights, v)
    return averages


def _pair(found: object) -> tuple[Any, Any]:
    """The two values that were promised.

    Raises:
        Wrong: something else came back.
    """
    if not isinstance(found, tuple | list) or len(found) != 2:
        raise Wrong("Two values were promised: the output, and then the weights.")
    return found[0], found[1]
