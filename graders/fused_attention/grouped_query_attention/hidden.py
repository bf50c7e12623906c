"""Hidden graders of grouped_query_attention: few heads of keys serve many heads of queries."""

from functools import partial
from typing import Any

import pytest
import torch
from torch import Tensor

import graders.fused_attention.grouped_query_attention.probe  # noqa: F401 - registers the probe
from autograder.judging import Wrong, assert_matches, exercise, expected
from autograder.judging.draw import Draw
from autograder.judging.properties import (
    assert_inputs_unchanged,
    assert_linear,
    assert_varied,
    same_bits,
)
from autograder.judging.registry import keep_own
from autograder.tensors.devices import assert_stays_on_meta
from autograder.tensors.gradients import assert_gradients_match
from graders.fused_attention.tiling_inputs import assert_past_apart, loud_future
from graders.laws import Lead, assert_alike_in_front, assert_keeps_double
from graders.modules import assert_apart, assert_heads_refused
from solutions.fused_attention.reference import grouped_query_attention

keep_own(
    "grouped_query_attention",
    "fused_from_projections",
    "decode_step",
    because="it takes modules, and is not needed",
)


@exercise("grouped_query_attention")
@pytest.mark.points(4, "values")
@pytest.mark.devices("cpu", "cuda")
def test_every_query_head_attends_with_its_key_head(
    student: Any, device: str, draw: Draw, lead: Lead
) -> None:
    """Each key head serves its block of query heads: several, one of all, or one for each."""
    for heads, key_heads in ((6, 2), (6, 3), (5, 1), (4, 4), (6, 2)):
        q, k, v = (t.to(device) for t in _grouped(draw, lead, heads, key_heads, 5, 7))
        found = student.grouped_query_attention(q, k, v)
        assert_matches(found, expected(grouped_query_attention, q, k, v))
    assert_linear(lambda values: student.grouped_query_attention(q, k, values), v, 2 * v.flip(-1))


@exercise("grouped_query_attention")
@pytest.mark.points(1.5, "values")
def test_a_key_head_touches_its_own_block_only(student: Any, draw: Draw, lead: Lead) -> None:
    """Another key head in one place changes the outputs of the query heads it serves, no others."""
    q, k, v = _grouped(draw, lead, 6, 2, 4, 5)
    changed = draw.integer(0, 1)
    other = v.clone()
    other[..., changed, :, :] += draw.normal(*lead, 5, 3)
    before, after = (student.grouped_query_attention(q, k, values) for values in (v, other))
    for result in (before, after):
        assert_varied(result, grouped_query_attention(q, k, v))
    touched = (before != after).flatten(-2).any(dim=-1).reshape(-1, 6).any(dim=0)
    served = torch.arange(6) // 3 == changed
    if bool(touched[~served].any()):
        raise Wrong("A head of values reaches other query heads than the block that it serves.")
    if not bool(touched[served].all()):
        raise Wrong("A head of values does not reach all query heads of the block that it serves.")


@exercise("grouped_query_attention")
@pytest.mark.points(3, "masking")
def test_grouped_queries_attend_to_the_past(student: Any, draw: Draw, lead: Lead) -> None:
    """With `is_causal=True`, query i attends to keys 0 to i, in every head."""
    q, k, v = _grouped(draw, lead, 4, 2, 6, 6)
    for is_causal in (True, False):
        wanted = expected(grouped_query_attention, q, k, v, is_causal=is_causal)
        assert_matches(student.grouped_query_attention(q, k, v, is_causal=is_causal), wanted)


@exercise("grouped_query_attention")
@pytest.mark.points(2, "masking")
def test_later_keys_move_no_bit_of_any_head(student: Any, draw: Draw, lead: Lead) -> None:
    """With `is_causal=True`, what comes out for the past depends in no bit on the future."""
    q, k, v = _grouped(draw, lead, 6, 3, 5, 5)
    other = v.clone()
    other[..., 3:, :] = 1e30
    before, after = (
        student.grouped_query_attention(q, k, values, is_causal=True) for values in (v, other)
    )
    for result in (before, after):
        assert_varied(result, grouped_query_attention(q, k, v))
    if not same_bits(before[..., :3, :], after[..., :3, :]):
        raise Wrong("A change in the future changes what comes out for the past.")
    q, k, v = (tensor.expand(*lead, 2, 7, -1) for tensor in loud_future(draw, 3))
    assert_past_apart(partial(student.grouped_query_attention, is_causal=True), q, k, v, 3)


@exercise("grouped_query_attention")
@pytest.mark.points(1, "errors")
def test_heads_that_cannot_be_shared_out_are_refused(student: Any, lead: Lead) -> None:
    """Key heads that do not divide the query heads raise ValueError; its text names both."""
    for heads, key_heads in ((6, 4), (3, 6)):
        assert_heads_refused(_sharing(student, lead), heads, key_heads)


@exercise("grouped_query_attention")
@pytest.mark.points(2, "gradient")
def test_gradients_of_a_key_head_add_up(student: Any, draw: Draw, lead: Lead) -> None:
    """Keys and values get the gradients of all query heads that they serve, queries their own."""
    q, k, v = _grouped(draw, lead, 6, 2, 4, 5)
    upstream = draw.normal(*lead, 6, 4, 3)
    found = student.grad("grouped_query_attention", q, k, v, upstream=upstream)
    assert_gradients_match(found, grouped_query_attention, q, k, v, upstream=upstream)


@exercise("grouped_query_attention")
@pytest.mark.points(1.5, "generality")
def test_groups_after_any_leading_dimensions(student: Any, draw: Draw) -> None:
    """There may be no dimension before the heads, one or two."""
    answer = student.grouped_query_attention
    for key_heads, queries, keys in ((2, 5, 6), (1, 1, 1)):  # axes of length 1 stay
        assert_alike_in_front(
            answer,
            grouped_query_attention,
            lambda lead: _grouped(draw, lead, 4, key_heads, queries, keys),  # noqa: B023
        )
    x, changed = (draw.normal(3, 4, 5, 8, dtype=torch.float64) for _ in range(2))
    changed[1:] = x[1:]

    def attend(texts: Tensor) -> Tensor:
        return student.grouped_query_attention(texts, texts[:, :2], texts[:, 2:])

    assert_apart(attend, x, changed)


@exercise("grouped_query_attention")
@pytest.mark.points(0.5, "numerics")
def test_groups_keep_dtype_and_inputs(student: Any, draw: Draw, lead: Lead) -> None:
    """In float16 and bfloat16 the output is right; every dtype stays, inputs are left alone."""
    for dtype in (torch.float16, torch.bfloat16):
        q, k, v = (tensor.to(dtype) for tensor in _grouped(draw, lead, 6, 3, 5, 5))
        found = student.grouped_query_attention(q, k, v, is_causal=True)
        assert_inputs_unchanged(student, found)
        assert_matches(found, expected(grouped_query_attention, q, k, v, is_causal=True))
    double = (tensor.double() for tensor in _grouped(draw, lead, 6, 3, 5, 5))
    assert_keeps_double(student.grouped_query_attention(*double))


@exercise("grouped_query_attention")
@pytest.mark.points(0.5, "generality")
@pytest.mark.every_lead
def test_groups_stay_on_the_device(student: Any, lead: Lead) -> None:
    """The output is on the device of the queries, with no detour through the CPU or NumPy."""

    def output(key_heads: int, is_causal: bool, device: str) -> object:
        q, k = (torch.ones(*lead, heads, 5, 4, device=device) for heads in (6, key_heads))
        return student.grouped_query_attention(q, k, k, is_causal=is_causal)

    calls = [partial(output, heads, causal) for heads in (3, 6) for causal in (False, True)]
    assert_stays_on_meta(*calls, reading=True)


def _grouped(
    draw: Draw, lead: Lead, heads: int, key_heads: int, queries: int, keys: int
) -> tuple[Tensor, Tensor, Tensor]:
    """Queries 8 wide in all heads, and keys and values in fewer; values are 3 wide."""
    return (
        draw.normal(*lead, heads, queries, 8),
        draw.normal(*lead, key_heads, keys, 8),
        draw.normal(*lead, key_heads, keys, 3),
    )


def _sharing(student: Any, lead: Lead) -> Any:
    def call(heads: int, key_heads: int) -> object:
        q, k = torch.zeros(*lead, heads, 5, 8), torch.zeros(*lead, key_heads, 7, 8)
        return student.grouped_query_attention(q, k, k)

    return call
