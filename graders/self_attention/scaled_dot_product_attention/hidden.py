"""Hidden graders of 02-self-attention: scaled_dot_product_attention."""

from functools import partial
from typing import Any

import pytest
import torch
from torch import Tensor

import graders.self_attention.probes  # noqa: F401 - registers the probes
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
from graders.laws import (
    Lead,
    assert_alike_in_front,
    assert_alike_in_memory,
    assert_keeps_double,
    assert_mask_broadcasts,
    split_view,
)
from graders.modules import assert_apart, in_dtype, mask_of
from graders.two_results import (
    assert_forbidden_are_zero,
    assert_output_right,
    assert_weights_make_output,
    assert_weights_right,
    output_of,
)
from solutions.self_attention import reference

NAME = "scaled_dot_product_attention"
attention = reference.scaled_dot_product_attention

APART = 1000.0  # so far that softmax gives all to the highest, scaled or not


@exercise("scaled_dot_product_attention")
@pytest.mark.points(12, "values")
def test_values_are_averaged_by_scaled_similarity(student: Any, draw: Draw, lead: Lead) -> None:
    """The output is softmax of q kᵀ / sqrt(d_k), times v, whatever the sizes are."""
    # The first sizes once more, with new values that show a result that was kept; axes of 1 stay.
    for sizes in ((5, 7, 6, 10), (4, 9, 11, 3), (5, 5, 5, 5), (1, 6, 4, 2), (5, 7, 6, 10)):
        given = _given(draw, lead, *sizes)
        assert_output_right(student.scaled_dot_product_attention(*given), attention, *given)
    q, k, v = _given(draw, lead, 5, 60, 8, 3)
    q = 3 * q  # most weights are below a ten-thousandth, and a thousandth together
    assert_output_right(student.scaled_dot_product_attention(q, k, v), attention, q, k, v)


@exercise("scaled_dot_product_attention")
@pytest.mark.points(2, "generality")
def test_any_number_of_dimensions_may_stand_in_front(student: Any, draw: Draw) -> None:
    """Queries, keys and values may come alone, in a batch, or with batch and heads in front."""
    answer = student.scaled_dot_product_attention
    assert_alike_in_front(answer, attention, lambda lead: _given(draw, lead, 6, 6, 6, 6))


@exercise("scaled_dot_product_attention")
@pytest.mark.points(4, "form")
def test_the_weights_come_back_second(student: Any, draw: Draw, lead: Lead) -> None:
    """The second value is the weights, (..., queries, keys), by which the output is made."""
    for queries, keys in ((5, 7), (6, 6)):
        q, k, v = _given(draw, lead, queries, keys, 6, 10)
        found = student.scaled_dot_product_attention(q, k, v)
        assert_weights_make_output(found, v, v.new_empty(*lead, queries, keys))


@exercise("scaled_dot_product_attention")
@pytest.mark.points(10, "masking")
def test_true_in_the_mask_allows(student: Any, draw: Draw, lead: Lead) -> None:
    """A mask, True where attention is allowed, is obeyed by output and weights."""
    for queries, keys in ((5, 7), (6, 6)):
        given = (*_given(draw, lead, queries, keys, 6, 10), mask_of(draw, *lead, queries, keys))
        given[0][..., 0, :] = 0  # a score of 0 is a score like any other
        found = student.scaled_dot_product_attention(*given)
        assert_output_right(found, attention, *given)
        if isinstance(found, tuple | list):
            assert_weights_right(found, attention, *given)


@exercise("scaled_dot_product_attention")
@pytest.mark.points(2, "masking")
def test_a_mask_may_be_smaller_than_the_scores(student: Any, draw: Draw, lead: Lead) -> None:
    """A mask broadcasts: one row for all queries, and one mask for all of a batch."""
    q, k, v = _given(draw, lead, 7, 7, 7, 7)
    attend = partial(student.scaled_dot_product_attention, q, k, v)
    for shape in ((1, 7), (7, 7), (*lead, 1, 7), (*lead[1:], 7, 7)):
        assert_mask_broadcasts(
            lambda mask: attend(mask=mask), mask_of(draw, *shape), (*lead, 7, 7), v
        )


@exercise("scaled_dot_product_attention")
@pytest.mark.points(1, "masking")
def test_masks_are_taken_alike_whatever_stands_in_front(student: Any, draw: Draw) -> None:
    """An entry of a batch gets under its own mask what it gets alone."""

    def masked(lead: Lead) -> tuple[Tensor, ...]:
        return *_given(draw, lead, 6, 6, 6, 6), mask_of(draw, *lead, 6, 6)

    assert_alike_in_front(student.scaled_dot_product_attention, attention, masked)


@exercise("scaled_dot_product_attention")
@pytest.mark.points(6, "masking")
def test_what_is_forbidden_counts_nothing_at_all(student: Any, draw: Draw, lead: Lead) -> None:
    """A forbidden key has a weight of exactly 0, and its value moves no bit of the output."""
    q, k, v = _given(draw, lead, 5, 7, 6, 4)
    mask = mask_of(draw, 5, 7)
    mask[:, 3] = False
    huge_k, huge_v = k.clone(), v.clone()
    huge_k[..., 3, :] = huge_v[..., 3, :] = 1e30
    found = student.scaled_dot_product_attention(q, k, v, mask)
    changed = student.scaled_dot_product_attention(q, huge_k, huge_v, mask)
    for result in (found, changed):
        assert_varied(output_of(result), attention(q, k, v)[0])
    if not same_bits(output_of(found), output_of(changed)):
        raise Wrong("What stands at a forbidden key still changes what comes out.")
    if isinstance(found, tuple | list) and len(found) == 2:
        assert_forbidden_are_zero(found[1], mask, attention(q, k, v)[1])


@exercise("scaled_dot_product_attention")
@pytest.mark.points(0.5, "values")
def test_the_order_of_the_keys_does_not_matter(student: Any, draw: Draw, lead: Lead) -> None:
    """When keys change places, with their values and their column of the mask, nothing changes."""
    q, k, v = _given(draw, lead, 5, 8, 6, 4)
    for mask in (None, mask_of(draw, 5, 8)):
        turned = q, k.flip(-2), v.flip(-2), None if mask is None else mask.flip(-1)
        one, other = (_output(student, *given) for given in ((q, k, v, mask), turned))
        assert_agree(one, other, "The output depends on where among the keys a token stands.")


@exercise("scaled_dot_product_attention")
@pytest.mark.points(0.5, "values")
def test_one_vector_added_to_all_keys_changes_nothing(student: Any, draw: Draw, lead: Lead) -> None:
    """Moving all keys by one vector adds one number to a query's scores, and changes nothing."""
    q, k, v = _given(draw, lead, 5, 7, 4, 3, torch.float64)
    q, k = ((8 * part).round() / 8 for part in (q, k))  # so that float32 holds all scores
    moved = k + (8 * draw.normal(4).double()).round()
    one, other = (_output(student, q, keys, v) for keys in (k, moved))
    assert_agree(one, other, "One vector added to all keys changes the output.")


@exercise("scaled_dot_product_attention")
@pytest.mark.points(0.5, "values")
def test_the_output_is_linear_in_the_values(student: Any, draw: Draw, lead: Lead) -> None:
    """A multiple of the values gives that multiple of the output, and a sum gives the sum."""
    q, k, v = _given(draw, lead, 6, 6, 6, 6)
    other, mask = draw.normal(*lead, 6, 6), mask_of(draw, 6, 6)
    assert_linear(lambda values: _output(student, q, k, values, mask), v, other)


@exercise("scaled_dot_product_attention")
@pytest.mark.points(0.5, "generality")
def test_texts_of_a_batch_are_attended_to_apart(student: Any, draw: Draw) -> None:
    """What stands in one text of a batch moves no bit of what comes out for another."""
    q, k, v = (part.repeat(4, 1, 1) for part in _given(draw, (1,), 6, 6, 6, 6))
    v = v + draw.normal(4, 1, 6)
    huge = torch.cat([1e30 * v[:1], v[1:]])
    assert_apart(lambda values: _output(student, q, k, values), v, huge)


@exercise("scaled_dot_product_attention")
@pytest.mark.points(1, "numerics")
def test_large_scores_stay_finite(student: Any, draw: Draw, lead: Lead) -> None:
    """Scores of ten thousand give the right finite result, with and without a mask."""
    q, k, mask = _apart(draw, 4, 5, 6)
    q, k = (part.expand(*lead, *part.shape).clone() for part in (q, k))
    v = draw.normal(*lead, 5, 3, dtype=torch.float64)
    for own in (None, mask):
        found = student.scaled_dot_product_attention(q, k, v, own)
        assert_output_right(in_dtype(found, q.dtype), attention, q, k, v, own)
    q[..., 0], k[..., 0] = 1024.0, -1024.0  # all scores are far below 0, the allowed ones as well
    found = student.scaled_dot_product_attention(q, k, v, mask)
    assert_output_right(in_dtype(found, q.dtype), attention, q, k, v, mask)


@exercise("scaled_dot_product_attention")
@pytest.mark.points(1, "generality")
@pytest.mark.every_lead
def test_queries_keys_and_values_may_be_views(student: Any, draw: Draw, lead: Lead) -> None:
    """The inputs may be views of larger tensors, as the heads of a split tensor are."""
    q, k, v = (split_view(draw, lead, 6, 6) for _ in "qkv")
    own = "order-of-memory-assumed"
    assert_alike_in_memory(getattr(student, NAME), attention, q, k, v, misconception=own)


@exercise("scaled_dot_product_attention")
@pytest.mark.points(2, "gradient")
def test_queries_keys_and_values_can_learn(student: Any, draw: Draw, lead: Lead) -> None:
    """Queries, keys and values get the right gradient, with and without a mask."""
    q, k, v = _given(draw, lead, 4, 5, 6, 3)
    upstream = draw.normal(*lead, 4, 3)
    for mask in (None, mask_of(draw, 4, 5)):
        found = student.grad(NAME, q, k, v, mask, upstream=upstream)
        assert_gradients_match(found, attention, q, k, v, mask, upstream=upstream)


@exercise("scaled_dot_product_attention")
@pytest.mark.points(0.5, "numerics")
def test_half_precision_works_under_a_mask(student: Any, draw: Draw, lead: Lead) -> None:
    """In bfloat16 and float16 attention is right, with a mask too; every dtype is kept."""
    for dtype in (torch.bfloat16, torch.float16):
        given = _given(draw, lead, 5, 7, 6, 4, dtype=dtype)
        for mask in (None, mask_of(draw, 5, 7)):
            found = student.scaled_dot_product_attention(*given, mask)
            assert_output_right(found, attention, *given, mask)
            if isinstance(found, tuple | list):
                assert_weights_right(found, attention, *given, mask)
    double = _given(draw, lead, 5, 7, 6, 4, dtype=torch.float64)
    assert_keeps_double(student.scaled_dot_product_attention(*double))


@exercise("scaled_dot_product_attention")
@pytest.mark.points(0.5, "generality")
@pytest.mark.every_lead
def test_inputs_and_mask_are_left_as_they_were(student: Any, draw: Draw, lead: Lead) -> None:
    """The tensors and the mask that are passed in still hold the same values afterwards."""
    calls = [
        partial(student.scaled_dot_product_attention, *_given(draw, lead, 6, 6, d_k, 4), mask)
        for mask in (None, mask_of(draw, 6, 6), mask_of(draw, *lead, 6, 6))
        for d_k in (5, 6)
    ]
    assert_leaves_inputs(student, *calls)


@exercise("scaled_dot_product_attention")
@pytest.mark.points(0.5, "generality")
@pytest.mark.every_lead
def test_attention_stays_on_the_device_of_the_queries(student: Any, draw: Draw, lead: Lead) -> None:
    """Everything is made on the device of q, k and v, with no detour through the CPU or NumPy."""
    mask = mask_of(draw, 6, 6)

    def attend(d_k: int, masked: bool, device: str) -> object:
        q, k, v = (one.to(device) for one in _given(draw, lead, 6, 6, d_k, 4))
        return student.scaled_dot_product_attention(q, k, v, mask.to(device) if masked else None)

    calls = [partial(attend, d_k, masked) for d_k in (5, 6) for masked in (False, True)]
    assert_stays_on_meta(*calls, reading=True)


def _output(student: Any, q: Tensor, k: Tensor, v: Tensor, mask: Tensor | None = None) -> Tensor:
    """The output for these inputs, after a check of its form."""
    found = student.scaled_dot_product_attention(q, k, v, mask)
    output: Tensor = output_of(found)
    assert_varied(output, v.new_empty(*q.shape[:-1], v.shape[-1]))
    return output


def _apart(draw: Draw, queries: int, keys: int, d_k: int) -> tuple[Tensor, Tensor, Tensor]:
    """Queries and keys whose scores lie thousands apart, and a mask that forbids each best key.

    So it is no luck what becomes of a mistake in the mask, or in the scale. The first feature is 0.
    """
    while True:
        q, k = (draw.normal(count, d_k, dtype=torch.float64) for count in (queries, keys))
        q, k = ((part * 8).round() / 8 * 100 for part in (q, k))  # float32 holds them exactly
        q[:, 0], k[:, 0] = 0.0, 0.0
        scores = q @ k.mT
        best, second, third = scores.topk(3).values.unbind(-1)
        if min((best - second).min(), (second - third).min()) > APART:
            mask = mask_of(draw, queries, keys) | (scores == second[:, None])
            return q, k, mask & (scores < best[:, None])


def _given(
    draw: Draw,
    lead: Lead,
    queries: int,
    keys: int,
    d_k: int,
    d_v: int,
    dtype: torch.dtype = torch.float32,
) -> tuple[Tensor, Tensor, Tensor]:
    """Queries, keys and values."""
    q, k, v = (
        draw.normal(*lead, n, wide, dtype=dtype)
        for n, wide in ((queries, d_k), (keys, d_k), (keys, d_v))
    )
    return q, k, v
