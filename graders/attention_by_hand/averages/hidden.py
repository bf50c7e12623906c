"""Hidden graders of 01-attention-by-hand: weighted_values and simple_attention."""

from typing import Any

import pytest
import torch
from torch import Tensor

import graders.attention_by_hand.probes  # noqa: F401 - registers the probes
from autograder.judging import Wrong, assert_matches, exercise, expected
from autograder.judging.draw import Draw
from autograder.judging.properties import (
    assert_agree,
    assert_inputs_unchanged,
    assert_linear,
    assert_varied,
)
from autograder.tensors.devices import assert_stays_on_meta
from autograder.tensors.gradients import assert_gradients_match
from graders.attention_by_hand.steps import steps
from graders.modules import assert_apart
from solutions.attention_by_hand import reference


def _weights(draw: Draw, *shape: int, dtype: torch.dtype = torch.float64) -> Tensor:
    return draw.normal(*shape, dtype=torch.float64).softmax(-1).to(dtype)


@exercise("weighted_values")
@pytest.mark.points(4, "values")
def test_each_query_gets_the_weighted_sum_of_all_values(student: Any, draw: Draw) -> None:
    """A query's output is the sum of all values, each times the query's weight for it."""
    again = ((2,), 5, 7, 10)  # once more, with new values that show a result that was kept
    one, three_in_front = ((1,), 1, 6, 2), ((2, 1, 3), 4, 5, 3)
    for lead, queries, keys, d_v in (
        *(again, ((), 4, 9, 3), ((3, 2), 6, 4, 5), ((), 5, 5, 8), one, again, three_in_front),
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
@pytest.mark.points(1.5, "values")
def test_a_weight_of_one_hands_over_that_value(student: Any, draw: Draw) -> None:
    """A query that gives all its weight to one key gets that key's value as it is."""
    for queries, keys in ((3, 5), (4, 4)):
        chosen = torch.arange(queries).roll(1) + keys - queries
        weights = torch.zeros(queries, keys).scatter(-1, chosen[:, None], 1.0)
        v = draw.normal(keys, 6)
        assert_matches(student.weighted_values(weights, v), v[chosen])


@exercise("weighted_values")
@pytest.mark.points(1, "values")
def test_an_average_of_equals_is_their_value(student: Any, draw: Draw) -> None:
    """Where all values are the same, every query gets that value, whatever its weights."""
    for queries, keys in ((5, 4), (6, 6)):
        v = draw.normal(2, 1, 7).expand(2, keys, 7).clone()
        found = student.weighted_values(_weights(draw, 2, queries, keys, dtype=v.dtype), v)
        wanted = v[:, :1].expand(2, queries, 7)
        assert_varied(found, wanted)
        symptom = "Where all values are the same, something else than that value comes out."
        assert_agree(found, wanted, symptom)


@exercise("weighted_values")
@pytest.mark.points(0.5, "values")
def test_reordering_weights_and_values_together_changes_nothing(student: Any, draw: Draw) -> None:
    """When keys change places, with their weights and values, the outputs stay the same."""
    weights, v = _weights(draw, 2, 5, 8), draw.normal(2, 8, 3, dtype=torch.float64)
    found = student.weighted_values(weights, v)
    turned = student.weighted_values(weights.flip(-1), v.flip(-2))
    for result in (found, turned):
        assert_varied(result, v.new_empty(2, 5, 3))
    assert_agree(found, turned, "The outputs depend on where among the keys a value stands.")


@exercise("weighted_values")
@pytest.mark.points(0.5, "values")
def test_outputs_grow_and_add_with_the_values(student: Any, draw: Draw) -> None:
    """A multiple of the values gives that multiple of the outputs, and a sum gives the sum."""
    weights = _weights(draw, 4, 6)

    def average(v: Tensor) -> Tensor:
        found = student.weighted_values(weights, v)
        assert_varied(found, v.new_empty(4, 5))
        return found

    assert_linear(average, *(draw.normal(6, 5, dtype=torch.float64) for _ in range(2)))


@exercise("weighted_values")
@pytest.mark.points(1, "generality")
def test_batch_and_heads_are_kept_apart(student: Any, draw: Draw) -> None:
    """Each batch entry and head averages its own values; they may be views of larger tensors."""
    for heads in (3, 4):
        weights = _weights(draw, 2, 5, heads, 7).transpose(1, 2)
        v = draw.normal(2, 7, heads, 4, dtype=torch.float64).transpose(1, 2)
        wanted = expected(reference.weighted_values, weights, v)
        assert_matches(student.weighted_values(weights, v), wanted)
    weights, v = _weights(draw, 1, 5, 7).repeat(3, 1, 1), draw.normal(3, 7, 4, dtype=torch.float64)
    huge = torch.cat([1e30 * v[:1], v[1:]])

    def average(values: Tensor) -> Tensor:
        found = student.weighted_values(weights, values)
        assert_varied(found, v.new_empty(3, 5, 4))
        return found

    assert_apart(average, v, huge)


@exercise("weighted_values")
@pytest.mark.points(1, "gradient")
def test_gradients_reach_weights_and_values(student: Any, draw: Draw) -> None:
    """Both the weights and the values get the right gradient."""
    weights, v = _weights(draw, 2, 4, 5), draw.normal(2, 5, 3, dtype=torch.float64)
    upstream = draw.normal(2, 4, 3, dtype=torch.float64)
    found = student.grad("weighted_values", weights, v, upstream=upstream)
    assert_gradients_match(found, reference.weighted_values, weights, v, upstream=upstream)


@exercise("weighted_values")
@pytest.mark.points(0.5, "numerics")
def test_half_precision_averages_keep_their_dtype(student: Any, draw: Draw) -> None:
    """Weights and values in bfloat16 and float16 give outputs in the same dtype."""
    for dtype in (torch.bfloat16, torch.float16):
        weights, v = _weights(draw, 2, 5, 7, dtype=dtype), draw.normal(2, 7, 10, dtype=dtype)
        wanted = expected(reference.weighted_values, weights, v)
        assert_matches(student.weighted_values(weights, v), wanted)


@exercise("weighted_values")
@pytest.mark.points(0.5, "generality")
def test_weights_and_values_are_left_as_they_were(student: Any, draw: Draw) -> None:
    """The tensors that are passed in still hold the same values afterwards."""
    for lead in ((), (2, 3)):
        weights, v = _weights(draw, *lead, 5, 7, dtype=torch.float32), draw.normal(*lead, 7, 4)
        assert_inputs_unchanged(student, student.weighted_values(weights, v))


@exercise("weighted_values")
@pytest.mark.points(0.5, "generality")
def test_averages_stay_on_the_device_of_the_values(student: Any) -> None:
    """The outputs are made on the device of the values, with no detour through the CPU or NumPy."""
    weights, v = torch.empty(2, 5, 7, device="meta"), torch.empty(2, 7, 4, device="meta")
    wanted = torch.empty(2, 5, 4, device="meta")
    assert_stays_on_meta(lambda: student.weighted_values(weights, v), wanted, reading=True)


@exercise("simple_attention")
@pytest.mark.points(4, "values")
def test_tokens_attend_by_their_plain_dot_products(student: Any, draw: Draw) -> None:
    """The weights are softmax of the unscaled dot products, the output the tokens weighted so."""
    again = ((2,), 5, 3)  # once more, with new values that show a result that was kept
    one, alone = ((1,), 6, 4), ((), 1, 5)
    sizes = (again, ((), 7, 4), ((3, 2), 4, 6), ((), 5, 5), ((), 9, 12), one, again, alone)
    for lead, seq, d in sizes:
        x = draw.normal(*lead, seq, d, dtype=torch.float64, scale=0.8)
        _assert_attends(student, x)


@exercise("simple_attention")
@pytest.mark.points(1, "form")
def test_the_output_comes_first_and_the_weights_second(student: Any, draw: Draw) -> None:
    """Two tensors come back: the output, shaped like x, and the weights, (..., seq, seq)."""
    for shape in ((6, 4), (2, 3, 7)):
        x = draw.normal(*shape)
        _pair_like(student.simple_attention(x), x)


@exercise("simple_attention")
@pytest.mark.points(1.5, "values")
def test_the_output_is_the_average_that_the_weights_say(student: Any, draw: Draw) -> None:
    """The output is made with the very weights that come back."""
    x = draw.normal(3, 5, 4, dtype=torch.float64, scale=0.7)
    output, weights = _pair(student.simple_attention(x))
    assert_varied(weights, x.new_empty(3, 5, 5))
    own = weights.to(x.dtype)  # another dtype costs elsewhere
    assert_matches(output, expected(reference.weighted_values, own, x))


@exercise("simple_attention")
@pytest.mark.points(1, "values")
def test_reordering_the_tokens_reorders_what_comes_out(student: Any, draw: Draw) -> None:
    """When the tokens change places, outputs and weights go with them and stay what they are."""
    x = draw.normal(6, 4, dtype=torch.float64, scale=0.7)
    output, weights = _pair_like(student.simple_attention(x), x)
    turned_output, turned_weights = _pair_like(student.simple_attention(x.flip(0)), x)
    symptom = "What a token gets depends on where it stands among the others."
    assert_agree(output.flip(0), turned_output, symptom)
    assert_agree(weights.flip(0, 1), turned_weights, symptom)


@exercise("simple_attention")
@pytest.mark.points(0.5, "generality")
def test_texts_of_a_batch_do_not_meet(student: Any, draw: Draw) -> None:
    """What stands in one text of a batch moves no bit of what comes out for another."""
    x = draw.normal(3, 5, 4, dtype=torch.float64, scale=0.7)
    changed = torch.cat([40 * x[:1].flip(-2), x[1:]])
    for part in (0, 1):
        assert_apart(
            lambda given: _pair_like(student.simple_attention(given), x)[part],  # noqa: B023
            x,
            changed,
        )


@exercise("simple_attention")
@pytest.mark.points(1, "numerics")
def test_long_tokens_give_finite_weights(student: Any, draw: Draw) -> None:
    """Tokens so long that their scores reach ten thousand still give the right finite weights."""
    x = (draw.normal(5, 4, dtype=torch.float64) * 8).round() / 8 * 60  # float32 holds them exactly
    _assert_attends(student, x)


@exercise("simple_attention")
@pytest.mark.points(1, "gradient")
def test_gradients_reach_the_tokens_on_every_path(student: Any, draw: Draw) -> None:
    """The tokens get their gradient as queries, as keys and as values together."""
    x, upstream = (draw.normal(2, 5, 3, dtype=torch.float64, scale=0.8) for _ in range(2))
    _pair_like(student.simple_attention(x), x)
    found = student.grad("simple_attention", x, upstream=upstream)
    assert_gradients_match(found, reference.simple_attention, x, upstream=upstream)


@exercise("simple_attention")
@pytest.mark.points(0.5, "numerics")
def test_tokens_in_half_precision_keep_their_dtype(student: Any, draw: Draw) -> None:
    """Tokens in bfloat16 and float16 give output and weights in the same dtype."""
    for dtype in (torch.bfloat16, torch.float16):
        x = draw.normal(2, 5, 3, dtype=dtype, scale=0.5)
        _assert_attends(student, x)


@exercise("simple_attention")
@pytest.mark.points(0.5, "generality")
def test_the_tokens_are_left_as_they_were(student: Any, draw: Draw) -> None:
    """The tensor that is passed in still holds the same values afterwards."""
    for lead in ((), (2, 3)):
        found = student.simple_attention(draw.normal(*lead, 5, 4))
        assert_inputs_unchanged(student, _pair(found)[0])


@exercise("simple_attention")
@pytest.mark.points(0.5, "generality")
def test_everything_stays_on_the_device_of_the_tokens(student: Any) -> None:
    """The output is made on the device of the tokens, with no detour through the CPU or NumPy."""
    x = torch.empty(2, 5, 4, device="meta")
    assert_stays_on_meta(lambda: _pair(student.simple_attention(x))[0], x, reading=True)


def _assert_attends(student: Any, x: Tensor) -> None:
    found = student.simple_attention(x)
    assert_matches(found, expected(reference.simple_attention, x))


def _pair_like(found: object, x: Tensor) -> tuple[Tensor, Tensor]:
    """Output and weights for these tokens, after a check of their form."""
    output, weights = _pair(found)
    assert_varied(output, x)
    assert_varied(weights, x.new_empty(*x.shape[:-1], x.shape[-2]))
    return output, weights


def _pair(found: object) -> tuple[Any, Any]:
    """The two values that were promised.

    Raises:
        Wrong: something else came back.
    """
    if not isinstance(found, tuple | list) or len(found) != 2:
        raise Wrong("Two values were promised: the output, and then the weights.")
    return found[0], found[1]
