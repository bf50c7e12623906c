"""Hidden graders of 01-attention-by-hand: weighted_values and simple_attention."""

from functools import partial
from typing import Any

import pytest
import torch
from torch import Tensor

import graders.attention_by_hand.probes  # noqa: F401 - registers the probes
from autograder.judging import assert_matches, exercise, expected
from autograder.judging.draw import Draw
from autograder.judging.properties import (
    assert_agree,
    assert_leaves_inputs,
    assert_linear,
    assert_varied,
)
from autograder.judging.registry import keep_own
from autograder.tensors.devices import assert_stays_on_meta
from autograder.tensors.gradients import assert_gradients_match
from graders.attention_by_hand.steps import steps
from graders.laws import Lead, assert_alike_in_front, assert_alike_in_memory
from graders.modules import assert_apart, in_dtype
from graders.two_results import (
    assert_output_right,
    assert_weights_right,
    output_of,
    second_of,
    weights_in,
)
from solutions.attention_by_hand import reference

attention = reference.simple_attention

keep_own("weighted_values", "dot_product_scores", because="with v turned, it gives the same")


def _weights(draw: Draw, *shape: int, dtype: torch.dtype = torch.float32) -> Tensor:
    return draw.normal(*shape, dtype=torch.float64).softmax(-1).to(dtype)


@exercise("weighted_values")
@pytest.mark.points(4, "values")
def test_each_query_gets_the_weighted_sum_of_all_values(
    student: Any, draw: Draw, lead: Lead
) -> None:
    """A query's output is the sum of all values, each times the query's weight for it."""
    # The first sizes once more, with new values that show a result that was kept; axes of 1 stay.
    for queries, keys, d_v in ((5, 7, 10), (4, 9, 3), (5, 5, 8), (5, 7, 10), (1, 6, 2)):
        _assert_averages(
            student, _weights(draw, *lead, queries, keys), draw.normal(*lead, keys, d_v)
        )
    rows = torch.from_numpy(steps(draw)).softmax(-1).float()  # some of them a few millionths
    _assert_averages(student, rows.expand(*lead, *rows.shape).clone(), draw.normal(*lead, 29, 3))


@exercise("weighted_values")
@pytest.mark.points(1.5, "values")
def test_a_weight_of_one_hands_over_that_value(student: Any, draw: Draw, lead: Lead) -> None:
    """A query that gives all its weight to one key gets that key's value as it is."""
    for queries, keys in ((3, 5), (4, 4)):
        chosen = torch.arange(queries).roll(1) + keys - queries
        weights = torch.zeros(queries, keys).scatter(-1, chosen[:, None], 1.0)
        weights, v = weights.expand(*lead, queries, keys).clone(), draw.normal(*lead, keys, 6)
        assert_matches(student.weighted_values(weights, v), v[..., chosen, :])


@exercise("weighted_values")
@pytest.mark.points(1, "values")
def test_an_average_of_equals_is_their_value(student: Any, draw: Draw, lead: Lead) -> None:
    """Where all values are the same, every query gets that value, whatever its weights."""
    for queries, keys in ((5, 4), (6, 6)):
        v = draw.normal(*lead, 1, 7).expand(*lead, keys, 7).clone()
        found = student.weighted_values(_weights(draw, *lead, queries, keys), v)
        wanted = v[..., :1, :].expand(*lead, queries, 7)
        assert_varied(found, wanted)
        symptom = "Where all values are the same, something else than that value comes out."
        assert_agree(found, wanted, symptom)


@exercise("weighted_values")
@pytest.mark.points(0.5, "values")
def test_reordering_weights_and_values_together_changes_nothing(
    student: Any, draw: Draw, lead: Lead
) -> None:
    """When keys change places, with their weights and values, the outputs stay the same."""
    weights, v = _weights(draw, *lead, 5, 8), draw.normal(*lead, 8, 3)
    found = student.weighted_values(weights, v)
    turned = student.weighted_values(weights.flip(-1), v.flip(-2))
    for result in (found, turned):
        assert_varied(result, v.new_empty(*lead, 5, 3))
    assert_agree(found, turned, "The outputs depend on where among the keys a value stands.")


@exercise("weighted_values")
@pytest.mark.points(0.5, "values")
def test_outputs_grow_and_add_with_the_values(student: Any, draw: Draw, lead: Lead) -> None:
    """A multiple of the values gives that multiple of the outputs, and a sum gives the sum."""
    weights = _weights(draw, *lead, 6, 6)

    def average(v: Tensor) -> Tensor:
        found = student.weighted_values(weights, v)
        assert_varied(found, v)
        return found

    assert_linear(average, *(draw.normal(*lead, 6, 6) for _ in range(2)))


@exercise("weighted_values")
@pytest.mark.points(1, "generality")
def test_batch_and_heads_are_kept_apart(student: Any, draw: Draw) -> None:
    """Each batch entry and head averages its own values; they may be views of larger tensors."""
    answer, right = student.weighted_values, reference.weighted_values
    assert_alike_in_front(
        answer, right, lambda lead: (_weights(draw, *lead, 5, 5), draw.normal(*lead, 5, 5))
    )
    for heads in (3, 4):
        weights = _weights(draw, 2, 6, heads, 6).transpose(1, 2)
        assert_alike_in_memory(answer, right, weights, draw.normal(2, 6, heads, 6).transpose(1, 2))
    weights, v = _weights(draw, 1, 7, 7).repeat(3, 1, 1), draw.normal(3, 7, 7)
    huge = torch.cat([1e30 * v[:1], v[1:]])

    def average(values: Tensor) -> Tensor:
        found = student.weighted_values(weights, values)
        assert_varied(found, v)
        return found

    assert_apart(average, v, huge)


@exercise("weighted_values")
@pytest.mark.points(2, "gradient")
def test_gradients_reach_weights_and_values(student: Any, draw: Draw, lead: Lead) -> None:
    """Both the weights and the values get the right gradient."""
    weights, v = _weights(draw, *lead, 4, 5), draw.normal(*lead, 5, 3)
    upstream = draw.normal(*lead, 4, 3)
    found = student.grad("weighted_values", weights, v, upstream=upstream)
    assert_gradients_match(found, reference.weighted_values, weights, v, upstream=upstream)


@exercise("weighted_values")
@pytest.mark.points(0.5, "numerics")
def test_half_precision_averages_keep_their_dtype(student: Any, draw: Draw, lead: Lead) -> None:
    """Weights and values in bfloat16, float16 and float64 give right outputs in the same dtype."""
    for dtype in (torch.bfloat16, torch.float16, torch.float64):
        weights = _weights(draw, *lead, 5, 7, dtype=dtype)
        _assert_averages(student, weights, draw.normal(*lead, 7, 10, dtype=dtype))


@exercise("weighted_values")
@pytest.mark.points(0.5, "generality")
@pytest.mark.every_lead
def test_weights_and_values_are_left_as_they_were(student: Any, draw: Draw, lead: Lead) -> None:
    """The tensors that are passed in still hold the same values afterwards."""
    sizes = ((5, 7, 4), (5, 3, 4), (6, 6, 6))
    given = ((_weights(draw, *lead, n, keys), draw.normal(*lead, keys, d)) for n, keys, d in sizes)
    assert_leaves_inputs(student, *(partial(student.weighted_values, *two) for two in given))


@exercise("weighted_values")
@pytest.mark.points(0.5, "generality")
@pytest.mark.every_lead
def test_averages_stay_on_the_device_of_the_values(student: Any, lead: Lead) -> None:
    """The outputs are made on the device of the values, with no detour through the CPU or NumPy."""

    def outputs(queries: int, keys: int, d_v: int, device: str) -> object:
        weights = torch.full((*lead, queries, keys), 1 / keys, device=device)
        return student.weighted_values(weights, torch.ones(*lead, keys, d_v, device=device))

    assert_stays_on_meta(partial(outputs, 5, 7, 4), partial(outputs, 6, 6, 6), reading=True)


@exercise("simple_attention")
@pytest.mark.points(4, "values")
def test_tokens_attend_by_their_plain_dot_products(student: Any, draw: Draw, lead: Lead) -> None:
    """The output is an average of the tokens, by softmax of their unscaled dot products."""
    # The first sizes once more, with new values that show a result that was kept; one token, too.
    for seq, d in ((5, 3), (7, 4), (4, 6), (5, 5), (9, 12), (5, 3), (1, 5)):
        x = draw.normal(*lead, seq, d, scale=0.8)
        assert_output_right(student.simple_attention(x), attention, x)


@exercise("simple_attention")
@pytest.mark.points(1, "form")
def test_the_output_comes_first_and_the_weights_second(
    student: Any, draw: Draw, lead: Lead
) -> None:
    """Two tensors come back: the output, shaped like x, and the weights, (..., seq, seq)."""
    for shape in ((6, 4), (3, 7)):
        x = draw.normal(*lead, *shape)
        found = student.simple_attention(x)
        assert_varied(second_of(found), x.new_empty(*x.shape[:-1], x.shape[-2]))
        assert_varied(found[0], x)


@exercise("simple_attention")
@pytest.mark.points(2, "values")
def test_the_weights_are_shares_of_the_plain_dot_products(
    student: Any, draw: Draw, lead: Lead
) -> None:
    """The second value is softmax of the tokens' unscaled dot products."""
    for seq, d in ((5, 3), (4, 6), (6, 6), (1, 5)):
        x = draw.normal(*lead, seq, d, scale=0.8)
        assert_weights_right(student.simple_attention(x), attention, x)


@exercise("simple_attention")
@pytest.mark.points(1, "values")
def test_the_output_is_the_average_that_the_weights_say(
    student: Any, draw: Draw, lead: Lead
) -> None:
    """The output is made with the very weights that come back."""
    x = draw.normal(*lead, 5, 4, scale=0.7)
    found = student.simple_attention(x)
    weights = weights_in(found)
    assert_varied(weights, x.new_empty(*lead, 5, 5))
    own = weights.to(x.dtype)  # another dtype costs elsewhere
    assert_matches(output_of(found), expected(reference.weighted_values, own, x))


@exercise("simple_attention")
@pytest.mark.points(1, "values")
def test_reordering_the_tokens_reorders_what_comes_out(
    student: Any, draw: Draw, lead: Lead
) -> None:
    """When the tokens change places, outputs and weights go with them and stay what they are."""
    x = draw.normal(*lead, 6, 4, scale=0.7)
    found, turned = student.simple_attention(x), student.simple_attention(x.flip(-2))
    symptom = "What a token gets depends on where it stands among the others."
    output, turned_output = output_of(found), output_of(turned)
    for one in (output, turned_output):
        assert_varied(one, x)
    assert_agree(output.flip(-2), turned_output, symptom)
    if isinstance(found, tuple | list) and isinstance(turned, tuple | list):
        weights, turned_weights = weights_in(found), weights_in(turned)
        for one in (weights, turned_weights):
            assert_varied(one, x.new_empty(*x.shape[:-1], x.shape[-2]))
        assert_agree(weights.flip(-2, -1), turned_weights, symptom)


@exercise("simple_attention")
@pytest.mark.points(1, "generality")
def test_texts_of_a_batch_do_not_meet(student: Any, draw: Draw) -> None:
    """There may be any number of dimensions in front, and no text of a batch changes another."""
    answer = student.simple_attention
    assert_alike_in_front(answer, attention, lambda lead: (draw.normal(*lead, 5, 5, scale=0.8),))
    x = draw.normal(3, 5, 4, scale=0.7)
    changed = torch.cat([40 * x[:1].flip(-2), x[1:]])
    assert_apart(lambda given: output_of(student.simple_attention(given)), x, changed)
    if isinstance(student.simple_attention(x), tuple | list):
        assert_apart(lambda given: weights_in(student.simple_attention(given)), x, changed)


@exercise("simple_attention")
@pytest.mark.points(1, "numerics")
def test_long_tokens_give_finite_weights(student: Any, draw: Draw, lead: Lead) -> None:
    """Tokens so long that their scores reach ten thousand still give the right finite result."""
    x = (draw.normal(*lead, 5, 4, dtype=torch.float64) * 8).round() / 8 * 60  # float32 holds them
    found = in_dtype(student.simple_attention(x), x.dtype)
    assert_output_right(found, attention, x)
    if isinstance(found, tuple | list):
        assert_weights_right(found, attention, x)


@exercise("simple_attention")
@pytest.mark.points(2, "gradient")
def test_gradients_reach_the_tokens_on_every_path(student: Any, draw: Draw, lead: Lead) -> None:
    """The tokens get their gradient as queries, as keys and as values together."""
    x, upstream = (draw.normal(*lead, 5, 3, scale=0.8) for _ in range(2))
    assert_varied(output_of(student.simple_attention(x)), x)
    found = student.grad("simple_attention", x, upstream=upstream)
    assert_gradients_match(found, attention, x, upstream=upstream)


@exercise("simple_attention")
@pytest.mark.points(0.5, "numerics")
def test_tokens_in_half_precision_keep_their_dtype(student: Any, draw: Draw, lead: Lead) -> None:
    """Tokens in bfloat16, float16 and float64 give the right result in the same dtype."""
    for dtype in (torch.bfloat16, torch.float16, torch.float64):
        _assert_attends(student, draw.normal(*lead, 5, 3, dtype=dtype, scale=0.5))


@exercise("simple_attention")
@pytest.mark.points(0.5, "generality")
@pytest.mark.every_lead
def test_the_tokens_are_left_as_they_were(student: Any, draw: Draw, lead: Lead) -> None:
    """The tensor that is passed in still holds the same values afterwards."""
    given = (draw.normal(*lead, *shape) for shape in ((5, 4), (3, 4), (6, 6)))
    assert_leaves_inputs(student, *(partial(student.simple_attention, x) for x in given))


@exercise("simple_attention")
@pytest.mark.points(0.5, "generality")
@pytest.mark.every_lead
def test_everything_stays_on_the_device_of_the_tokens(student: Any, lead: Lead) -> None:
    """The output is made on the device of the tokens, with no detour through the CPU or NumPy."""

    def output(seq: int, device: str) -> object:
        return output_of(student.simple_attention(torch.ones(*lead, seq, 4, device=device)))

    assert_stays_on_meta(partial(output, 5), partial(output, 4), reading=True)


def _assert_averages(student: Any, weights: Tensor, v: Tensor) -> None:
    wanted = expected(reference.weighted_values, weights, v)
    assert_matches(student.weighted_values(weights, v), wanted)


def _assert_attends(student: Any, x: Tensor) -> None:
    """Check what comes back; where it is the output alone, the tests of the weights charge it."""
    found = student.simple_attention(x)
    assert_output_right(found, attention, x)
    if isinstance(found, tuple | list):
        assert_weights_right(found, attention, x)
