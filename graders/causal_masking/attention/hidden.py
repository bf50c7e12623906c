"""Hidden graders of 03-causal-masking: causal_attention.

Values are as wide as keys but in the first test, which asks for any width.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

import pytest
import torch
from torch import Tensor

import graders.causal_masking.probes  # noqa: F401 - registers the probes
from autograder.judging import Wrong, exercise
from autograder.judging.draw import Draw
from autograder.judging.properties import (
    assert_agree,
    assert_leaves_inputs,
    assert_linear,
    assert_varied,
    same_bits,
)
from autograder.tensors.devices import assert_stays_on_meta
from autograder.tensors.gradients import assert_gradients_match
from graders.causal_masking.mask_parts import assert_refused, largest_after
from graders.laws import Lead, assert_alike_in_front, assert_keeps_double
from graders.modules import assert_apart, in_dtype
from graders.two_results import (
    assert_output_right,
    assert_weights_make_output,
    assert_weights_right,
    output_of,
    weights_in,
)
from solutions.causal_masking import reference

attention = reference.causal_attention


def _tokens(
    draw: Draw,
    shape: tuple[int, ...],
    d_k: int,
    d_v: int | None = None,
    dtype: torch.dtype = torch.float32,
) -> tuple[Tensor, Tensor, Tensor]:
    q, k = (draw.normal(*shape, d_k, dtype=dtype) for _ in range(2))
    return q, k, draw.normal(*shape, d_v or d_k, dtype=dtype)


@exercise("causal_attention")
@pytest.mark.points(15, "values")
def test_each_position_averages_the_values_up_to_its_own(
    student: Any, draw: Draw, lead: Lead
) -> None:
    """The output is that of scaled dot-product attention to the past."""
    # No two sizes alike; a single position; long; then the first with new values.
    for seq, d_k, d_v in ((5, 6, 10), (7, 4, 9), (1, 6, 5), (40, 4, 3), (5, 6, 10)):
        q, k, v = _tokens(draw, (*lead, seq), d_k, d_v)
        q[..., seq // 2, :] = 0  # a score of 0 is a score like any other
        assert_output_right(student.causal_attention(q, k, v), attention, q, k, v)


@exercise("causal_attention")
@pytest.mark.points(3, "values")
def test_the_weights_are_those_of_attention_to_the_past(
    student: Any, draw: Draw, lead: Lead
) -> None:
    """The second value is softmax of each query's scaled scores up to its own position."""
    for seq, d_k in ((5, 6), (7, 4)):
        given = _tokens(draw, (*lead, seq), d_k)
        assert_weights_right(student.causal_attention(*given), attention, *given)


@exercise("causal_attention")
@pytest.mark.points(1.5, "form")
def test_the_weights_come_back_second(student: Any, draw: Draw, lead: Lead) -> None:
    """The second value is the weights, (..., seq, seq), by which the output is made."""
    for seq in (6, 4):
        q, k, v = _tokens(draw, (*lead, seq), 5)
        found = student.causal_attention(q, k, v)
        assert_weights_make_output(found, v, v.new_empty(*lead, seq, seq))


@exercise("causal_attention")
@pytest.mark.points(2, "generality")
def test_any_number_of_dimensions_may_stand_in_front(student: Any, draw: Draw) -> None:
    """There may be any number of dimensions before the positions, and each text stands alone."""
    answer, right = student.causal_attention, reference.causal_attention
    assert_alike_in_front(answer, right, lambda lead: _tokens(draw, (*lead, 6), 6))


@exercise("causal_attention")
@pytest.mark.points(2, "masking")
@pytest.mark.every_lead
def test_changing_the_future_leaves_the_past_bit_identical(
    student: Any, draw: Draw, lead: Lead
) -> None:
    """Numbers of 1e30 in the future move no bit of the outputs and weights of the past."""
    now, (q, k, v) = draw.integer(2, 4), _tokens(draw, (*lead, 7), 6)
    later = [part.clone() for part in (q, k, v)]
    for part in later:
        part[..., now:, :] = 1e30 * draw.normal(*part[..., now:, :].shape)
    _assert_same_past(student, now, (q, k, v), later)


@exercise("causal_attention")
@pytest.mark.points(0.5, "masking")
def test_a_future_too_large_for_scores_leaves_the_past_bit_identical(
    student: Any, draw: Draw, lead: Lead
) -> None:
    """Keys so large that scores are infinite, and values as large, move no bit of the past."""
    # Values as wide as keys: PyTorch's own attention, fused, keeps this promise too.
    now, (q, k, v) = 3, _tokens(draw, (*lead, 7), 6)
    later = largest_after(now, q, k, v)
    _assert_same_past(student, now, (q, k, v), later)


@exercise("causal_attention")
@pytest.mark.points(1, "masking")
def test_weights_after_the_diagonal_are_exactly_zero(student: Any, draw: Draw, lead: Lead) -> None:
    """Row i of the weights is 0 after key i, exactly, and sums to one; large scores do no harm."""
    q, k, v = _tokens(draw, (*lead, 8), 5)
    below = torch.eye(5)[0] * 1000  # puts all scores far below 0, those of the past as well
    for one, other in ((q, k), (30 * q, 30 * k), (q + below, k - below)):
        weights = weights_in(student.causal_attention(one, other, v))
        assert_varied(weights, q.new_empty(*lead, 8, 8))
        if bool((weights.triu(1) != 0).any()):
            raise Wrong("Some weight of a later key is not exactly 0.")
        if bool(((weights.sum(-1) - 1).abs() > 1e-4).any()):
            raise Wrong("Some row of your weights does not sum to one.")


@exercise("causal_attention")
@pytest.mark.points(0.5, "numerics")
def test_large_scores_are_scores_like_any_other(student: Any, draw: Draw, lead: Lead) -> None:
    """Scores of hundreds and of ten thousand give the right outputs, and finite gradients."""
    q, k, v = _tokens(draw, (*lead, 6), 4, dtype=torch.float64)
    up_and_down = torch.tensor([1.0, -1.0] * 3, dtype=q.dtype)[:, None].expand_as(q)
    rising = torch.arange(1.0, 7.0, dtype=k.dtype)[:, None].expand_as(k)
    for step in (100, 8000):  # so far apart that one gets all, whatever the scale
        _assert_right(student, up_and_down, step * rising, v)
    loud = torch.cat(
        [k[..., :3, :], 4096 * k[..., 3:, :]], dim=-2
    )  # exp of the future's scores is infinite
    upstream = torch.ones_like(v)
    upstream[..., 3:, :] = 0
    found = student.grad("causal_attention", q, loud, v, upstream=upstream)
    if any(one is not None and not bool(one.isfinite().all()) for one in found.inputs):
        raise Wrong("Some gradient is infinite or NaN, though no score is.")


@exercise("causal_attention")
@pytest.mark.points(1, "masking")
def test_the_future_gets_no_gradient(student: Any, draw: Draw, lead: Lead) -> None:
    """What comes out for the past sends no gradient into the future."""
    now, (q, k, v) = 3, _tokens(draw, (*lead, 6), 5)
    upstream = draw.normal(*lead, 6, 5)
    upstream[..., now:, :] = 0
    for gradient in student.grad("causal_attention", q, k, v, upstream=upstream).inputs:
        _assert_of_the_past(gradient, now)


@exercise("causal_attention")
@pytest.mark.points(2, "gradient")
def test_gradients_reach_queries_keys_and_values(student: Any, draw: Draw, lead: Lead) -> None:
    """Queries, keys and values get the right gradients."""
    q, k, v = _tokens(draw, (*lead, 5), 6)
    upstream = draw.normal(*lead, 5, 6)
    found = student.grad("causal_attention", q, k, v, upstream=upstream)
    assert_gradients_match(found, reference.causal_attention, q, k, v, upstream=upstream)


@exercise("causal_attention")
@pytest.mark.points(0.5, "masking")
def test_the_beginning_of_a_text_is_attended_to_as_a_text(
    student: Any, draw: Draw, lead: Lead
) -> None:
    """What comes out for the first tokens is what comes out for them without the rest."""
    q, k, v = _tokens(draw, (*lead, 9), 6)
    whole, short = (_output(student, *(part[..., :n, :] for part in (q, k, v))) for n in (9, 5))
    symptom = "What comes out for the beginning of a text depends on how long the text is."
    assert_agree(whole[..., :5, :], short, symptom)


@exercise("causal_attention")
@pytest.mark.points(0.5, "values")
def test_the_output_follows_its_values(student: Any, draw: Draw, lead: Lead) -> None:
    """A multiple of the values gives that multiple of the output, and a sum gives the sum."""
    q, k, v = _tokens(draw, (*lead, 6), 6)
    other = draw.normal(*lead, 6, 6)
    assert_linear(lambda values: _output(student, q, k, values), v, other)


@exercise("causal_attention")
@pytest.mark.points(0.5, "generality")
def test_what_stands_in_one_text_is_nothing_to_another(student: Any, draw: Draw) -> None:
    """What stands in one text of a batch moves no bit of what comes out for another."""
    q, k, v = (part.repeat(4, 1, 1) for part in _tokens(draw, (1, 6), 6))
    v = v + draw.normal(4, 1, 6)
    huge = torch.cat([1e30 * v[:1], v[1:]])
    assert_apart(lambda values: _output(student, q, k, values), v, huge)


@exercise("causal_attention")
@pytest.mark.points(0.5, "numerics")
def test_half_precision_comes_back_as_it_went_in(student: Any, draw: Draw, lead: Lead) -> None:
    """In bfloat16 and float16, output and weights are right; they keep every dtype."""
    for dtype in (torch.bfloat16, torch.float16):
        given = _tokens(draw, (*lead, 7), 6, dtype=dtype)
        found = student.causal_attention(*given)
        assert_output_right(found, attention, *given)
        if isinstance(found, tuple | list):
            assert_weights_right(found, attention, *given)
    double = _tokens(draw, (*lead, 7), 6, dtype=torch.float64)
    assert_keeps_double(student.causal_attention(*double))


@exercise("causal_attention")
@pytest.mark.points(0.5, "errors")
def test_another_number_of_keys_is_refused(student: Any, draw: Draw, lead: Lead) -> None:
    """Fewer or more keys than queries raise ValueError; its text names both numbers."""
    for queries, keys in ((5, 17), (13, 1), (7, 11)):
        q, k, v = (draw.normal(*lead, rows, 6) for rows in (queries, keys, keys))
        assert_refused(lambda: student.causal_attention(q, k, v), (queries, keys))  # noqa: B023


@exercise("causal_attention")
@pytest.mark.points(0.5, "generality")
@pytest.mark.every_lead
def test_queries_keys_and_values_are_left_as_they_were(
    student: Any, draw: Draw, lead: Lead
) -> None:
    """The tensors that are passed in still hold the same values afterwards."""
    sizes = ((5, 6, 10), (3, 6, 10), (6, 6, 6))
    given = (_tokens(draw, (*lead, seq), d_k, d_v) for seq, d_k, d_v in sizes)
    assert_leaves_inputs(student, *(partial(student.causal_attention, *three) for three in given))


@exercise("causal_attention")
@pytest.mark.points(0.5, "generality")
@pytest.mark.every_lead
def test_everything_is_made_where_the_queries_are(student: Any, draw: Draw, lead: Lead) -> None:
    """The output is made on the device of q, k and v, and the mask that it takes as well."""

    def output(widths: tuple[int, int], device: str) -> object:
        given = (one.to(device) for one in _tokens(draw, (*lead, 6), *widths))
        return output_of(student.causal_attention(*given))

    assert_stays_on_meta(partial(output, (5, 4)), partial(output, (6, 6)), reading=True)


def _assert_same_past(
    student: Any, now: int, tokens: Sequence[Tensor], later: Sequence[Tensor]
) -> None:
    """Refuse attention that gives tokens before `now` other outputs or weights for a new future."""
    before, after = (_parts(student.causal_attention(*given)) for given in (tokens, later))
    for one, other in zip(before, after, strict=True):
        assert_varied(one[..., :now, :], one[..., :now, :])
        if not same_bits(one[..., :now, :], other[..., :now, :]):
            raise Wrong("A change in the future changes what comes out for the past.")


def _parts(found: object) -> Sequence[Any]:
    """Output and weights, or the output alone: that costs the tests of the weights."""
    return found if isinstance(found, tuple | list) else (found,)


def _output(student: Any, q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """The output, after a check of its form."""
    output: Tensor = output_of(student.causal_attention(q, k, v))
    assert_varied(output, v)
    return output


def _assert_right(student: Any, q: Tensor, k: Tensor, v: Tensor) -> None:
    found = in_dtype(student.causal_attention(q, k, v), v.dtype)
    assert_output_right(found, attention, q, k, v)
    if isinstance(found, tuple | list):
        assert_weights_right(found, attention, q, k, v)


def _assert_of_the_past(gradient: Tensor | None, now: int) -> None:
    if gradient is None or not bool((gradient[..., :now, :] != 0).any()):
        raise Wrong("No gradient reaches some of the inputs.")
    if bool((gradient[..., now:, :] != 0).any()):
        raise Wrong("What comes out for the past still depends on the future.")
