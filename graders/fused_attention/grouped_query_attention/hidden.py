"""Hidden graders of grouped_query_attention: few heads of keys serve many heads of queries."""

from functools import partial
from typing import Any

import pytest
import torch
from torch import Tensor

import graders.fused_attention.grouped_query_attention.probe  # noqa: F401 - registers the probe
from autograder.judging import (
    Wrong,
    assert_gradients_match,
    assert_matches,
    assert_stays_on_meta,
    exercise,
    expected,
    sure_of,
)
from autograder.judging.draw import Draw
from autograder.judging.properties import (
    assert_inputs_unchanged,
    assert_linear,
    assert_varied,
    same_bits,
)
from autograder.judging.registry import keep_own
from graders.fused_attention.tiling_inputs import loud_future
from graders.modules import assert_apart, assert_heads_refused
from solutions.fused_attention.reference import grouped_query_attention

WIDE = torch.float64

keep_own(
    "grouped_query_attention",
    "fused_from_projections",
    "decode_step",
    because="it takes modules, and is not needed",
)


@exercise("grouped_query_attention")
@pytest.mark.points(4, "values")
@pytest.mark.devices("cpu", "cuda")
def test_every_query_head_attends_with_its_key_head(student: Any, device: str, draw: Draw) -> None:
    """Each key head serves its block of query heads: several, one of all, or one for each."""
    for heads, key_heads in ((6, 2), (6, 3), (5, 1), (4, 4), (6, 2)):
        q, k, v = (t.to(device) for t in _grouped(draw, (2,), heads, key_heads, 5, 7))
        found = student.grouped_query_attention(q, k, v)
        assert_matches(found, expected(grouped_query_attention, q, k, v))
    assert_linear(lambda values: student.grouped_query_attention(q, k, values), v, 2 * v.flip(-1))


@exercise("grouped_query_attention")
@pytest.mark.points(1.5, "values")
def test_a_key_head_touches_its_own_block_only(student: Any, draw: Draw) -> None:
    """Another key head in one place changes the outputs of the query heads it serves, no others."""
    q, k, v = _grouped(draw, (3,), 6, 2, 4, 5)
    changed = draw.integer(0, 1)
    other = v.clone()
    other[:, changed] += draw.normal(3, 5, 3, dtype=WIDE)
    before, after = (student.grouped_query_attention(q, k, values) for values in (v, other))
    for result in (before, after):
        assert_varied(result, grouped_query_attention(q, k, v))
    touched = (before != after).any(dim=-1).any(dim=-1).any(dim=0)
    served = torch.arange(6) // 3 == changed
    if not torch.equal(touched, served):
        raise Wrong("A head of values reaches other query heads than the block that it serves.")


@exercise("grouped_query_attention")
@pytest.mark.points(1.5, "masking")
def test_grouped_queries_attend_to_the_past(student: Any, draw: Draw) -> None:
    """With `is_causal=True`, query i attends to keys 0 to i, in every head."""
    q, k, v = _grouped(draw, (2,), 4, 2, 6, 6)
    for is_causal in (True, False):
        wanted = expected(grouped_query_attention, q, k, v, is_causal=is_causal)
        assert_matches(student.grouped_query_attention(q, k, v, is_causal=is_causal), wanted)


@exercise("grouped_query_attention")
@pytest.mark.points(1, "masking")
def test_later_keys_move_no_bit_of_any_head(student: Any, draw: Draw) -> None:
    """With `is_causal=True`, what comes out for the past depends in no bit on the future."""
    q, k, v = (tensor.float() for tensor in _grouped(draw, (2,), 6, 3, 5, 5))
    other = v.clone()
    other[..., 3:, :] = 1e30
    before, after = (
        student.grouped_query_attention(q, k, values, is_causal=True) for values in (v, other)
    )
    for result in (before, after):
        assert_varied(result, grouped_query_attention(q, k, v))
    if not same_bits(before[..., :3, :], after[..., :3, :]):
        raise Wrong("A change in the future changes what comes out for the past.")
    q, k, v = (tensor.expand(2, 7, -1) for tensor in loud_future(draw, 3))
    wanted = expected(grouped_query_attention, q, k, v, is_causal=True)
    with sure_of("fill-too-soft"):
        assert_matches(student.grouped_query_attention(q, k, v, is_causal=True), wanted)


@exercise("grouped_query_attention")
@pytest.mark.points(1, "form")
def test_heads_that_cannot_be_shared_out_are_refused(student: Any) -> None:
    """Key heads that do not divide the query heads raise ValueError; its text names both."""
    for heads, key_heads in ((6, 4), (3, 6)):
        assert_heads_refused(_sharing(student), heads, key_heads)


@exercise("grouped_query_attention")
@pytest.mark.points(1, "gradient")
def test_gradients_of_a_key_head_add_up(student: Any, draw: Draw) -> None:
    """Keys and values get the gradients of all query heads that they serve, queries their own."""
    q, k, v = _grouped(draw, (2,), 6, 2, 4, 5)
    upstream = draw.normal(2, 6, 4, 3, dtype=WIDE)
    found = student.grad("grouped_query_attention", q, k, v, upstream=upstream)
    assert_gradients_match(found, grouped_query_attention, q, k, v, upstream=upstream)


@exercise("grouped_query_attention")
@pytest.mark.points(0.5, "generality")
def test_groups_after_any_leading_dimensions(student: Any, draw: Draw) -> None:
    """There may be no dimension before the heads, or two."""
    for lead in ((), (2, 3)):
        q, k, v = _grouped(draw, lead, 4, 2, 5, 6)
        found = student.grouped_query_attention(q, k, v)
        assert_matches(found, expected(grouped_query_attention, q, k, v))
    q, k, v = _grouped(draw, (2,), 4, 1, 1, 1)  # axes of length 1 stay
    found = student.grouped_query_attention(q, k, v)
    assert_matches(found, expected(grouped_query_attention, q, k, v))
    x, changed = draw.normal(3, 4, 5, 8, dtype=WIDE), draw.normal(3, 4, 5, 8, dtype=WIDE)
    changed[1:] = x[1:]

    def attend(texts: Tensor) -> Tensor:
        return student.grouped_query_attention(texts, texts[:, :2], texts[:, 2:])

    assert_apart(attend, x, changed)


@exercise("grouped_query_attention")
@pytest.mark.points(0.5, "numerics")
def test_groups_keep_dtype_and_inputs(student: Any, draw: Draw) -> None:
    """In float16 and bfloat16 the output is right, in that dtype, and the inputs are left alone."""
    for dtype in (torch.float16, torch.bfloat16):
        q, k, v = (tensor.to(dtype) for tensor in _grouped(draw, (2,), 6, 3, 5, 5))
        found = student.grouped_query_attention(q, k, v, is_causal=True)
        assert_inputs_unchanged(student, found)
        assert_matches(found, expected(grouped_query_attention, q, k, v, is_causal=True))


@exercise("grouped_query_attention")
@pytest.mark.points(0.5, "generality")
def test_groups_stay_on_the_device(student: Any) -> None:
    """The output is on the device of the queries, with no detour through the CPU or NumPy."""
    q, k = torch.empty(2, 6, 5, 4, device="meta"), torch.empty(2, 3, 5, 4, device="meta")
    for is_causal in (False, True):
        call = partial(student.grouped_query_attention, q, k, k, is_causal=is_causal)
        assert_stays_on_meta(call, q, reading=True)


def _grouped(
    draw: Draw, lead: tuple[int, ...], heads: int, key_heads: int, queries: int, keys: int
) -> tuple[Tensor, Tensor, Tensor]:
    """Queries 8 wide in all heads, and keys and values in fewer; values are 3 wide."""
    return (
        draw.normal(*lead, heads, queries, 8, dtype=WIDE),
        draw.normal(*lead, key_heads, keys, 8, dtype=WIDE),
        draw.normal(*lead, key_heads, keys, 3, dtype=WIDE),
    )


def _sharing(student: Any) -> Any:
    def call(heads: int, key_heads: int) -> object:
        q, k = torch.zeros(2, heads, 5, 8), torch.zeros(2, key_heads, 7, 8)
        return student.grouped_query_attention(q, k, k)

    return call
