"""Hidden graders of tiled_attention: the whole softmax, from blocks of its row.

Blocks divide the keys but where a claim is about the last one, which may be shorter.
"""

from functools import partial
from typing import Any

import pytest
import torch
from torch import Tensor

import graders.fused_attention.tiled_attention.probe  # noqa: F401 - registers the probe
from autograder.judging import Wrong, assert_matches, exercise, expected
from autograder.judging.draw import Draw
from autograder.judging.properties import (
    assert_agree,
    assert_leaves_inputs,
    assert_linear,
    assert_varied,
    same_bits,
)
from autograder.judging.registry import keep_own
from autograder.tensors.devices import assert_stays_on_meta
from autograder.tensors.gradients import assert_gradients_match
from graders.fused_attention.given_structure import table_in_tiles
from graders.fused_attention.tiling_inputs import (
    BLOCK,
    MOST_CAUSAL,
    MOST_PLAIN,
    assert_past_apart,
    growth_over_a_long_row,
    inputs,
    large_scores,
    loud_future,
)
from graders.laws import (
    Lead,
    assert_alike_in_front,
    assert_alike_in_memory,
    assert_keeps_double,
)
from graders.modules import assert_apart
from solutions.fused_attention.reference import tiled_attention

SINGLE = torch.float32

keep_own(
    "tiled_attention",
    "FusedMultiHeadAttention",
    "fused_from_projections",
    because="a right one attends, where the text asks for blocks",
)


@exercise("tiled_attention")
@pytest.mark.points(7, "values")
@pytest.mark.devices("cpu", "cuda")
def test_blocks_of_every_size_give_the_whole(
    student: Any, device: str, draw: Draw, lead: Lead
) -> None:
    """The output is attention over all keys, whether they come singly, in blocks or at once."""
    for queries, keys, d_k, d_v, sizes in (
        (5, 8, 6, 10, (1, 2, 4, 8)),
        (4, 9, 7, 3, (3, 9)),
        (6, 6, 5, 2, (3,)),
        (5, 8, 6, 10, (4,)),  # the first again, whose new values show a kept result
    ):
        q, k, v = inputs(draw, lead, queries, keys, d_k, d_v, SINGLE, device)
        if keys == 9:
            q = 3 * q  # weights of all sizes, the smallest next to nothing
        for size in sizes:
            _assert_right(student, q, k, v, size)
    assert_linear(lambda values: student.tiled_attention(q, k, values, 4), v, 2 * v.flip(-1))


@exercise("tiled_attention")
@pytest.mark.points(4, "generality")
def test_the_last_block_may_hold_fewer_keys(student: Any, draw: Draw, lead: Lead) -> None:
    """Blocks of any size give the same, also where the last one is not full."""
    for queries, keys, is_causal in ((6, 11, False), (9, 9, True)):
        q, k, v = inputs(draw, lead, queries, keys, 5, 4, SINGLE)
        options = {"is_causal": True} if is_causal else {}
        whole = student.tiled_attention(q, k, v, keys, **options)
        assert_varied(whole, tiled_attention(q, k, v, keys))
        for size in range(1, keys + 3):
            found = student.tiled_attention(q, k, v, size, **options)
            assert_agree(found, whole, "Blocks of another size give another result.")


@exercise("tiled_attention")
@pytest.mark.points(3, "masking")
def test_causal_queries_attend_to_the_past(student: Any, draw: Draw, lead: Lead) -> None:
    """With `is_causal=True`, query i attends to keys 0 to i, wherever the blocks begin."""
    for length, d_k, d_v, sizes in ((8, 5, 6, (2, 8)), (9, 7, 4, (1, 3))):
        q, k, v = inputs(draw, lead, length, length, d_k, d_v, SINGLE)
        for size in sizes:
            _assert_right(student, q, k, v, size, is_causal=True)


@exercise("tiled_attention")
@pytest.mark.points(1, "masking")
def test_later_keys_move_no_bit(student: Any, draw: Draw, lead: Lead) -> None:
    """With `is_causal=True`, what comes out for the past depends in no bit on the future."""
    q, k, v = inputs(draw, lead, 8, 8, 5, 6, SINGLE)
    now, other = 3, v.clone()  # within a block
    other[..., now:, :] = 1e30
    before, after = (
        student.tiled_attention(q, k, values, 2, is_causal=True) for values in (v, other)
    )
    for result in (before, after):
        assert_varied(result, v)
    if not same_bits(before[..., :now, :], after[..., :now, :]):
        raise Wrong("A change in the future changes what comes out for the past.")
    q, k, v = (tensor.expand(*lead, 8, -1) for tensor in loud_future(draw, now, keys=8))
    attend = partial(student.tiled_attention, block_size=2, is_causal=True)
    assert_past_apart(attend, q, k, v, now)


@exercise("tiled_attention")
@pytest.mark.points(2, "numerics")
def test_large_scores_stay_finite(student: Any, draw: Draw, lead: Lead) -> None:
    """Scores of thousands give the right averages, in whatever block the highest one stands."""
    q, k, v = (tensor.expand(*lead, *tensor.shape) for tensor in large_scores(draw))
    for size in (1, 2, 8):
        _assert_right(student, q, k, v, size)


@exercise("tiled_attention")
@pytest.mark.points(2, "gradient")
def test_gradients_reach_queries_keys_and_values(student: Any, draw: Draw, lead: Lead) -> None:
    """Queries, keys and values get the gradients of attention over all keys."""
    for keys, is_causal in ((8, False), (6, True)):
        q, k, v = inputs(draw, lead, 6, keys, 6, 3, SINGLE)
        upstream = draw.normal(*lead, 6, 3)
        given = (q, k, v, 2, is_causal)
        found = student.grad("tiled_attention", *given, upstream=upstream)
        assert_gradients_match(found, tiled_attention, *given, upstream=upstream)


@exercise("tiled_attention")
@pytest.mark.points(1, "generality")
def test_tiles_with_any_leading_dimensions(student: Any, draw: Draw) -> None:
    """There may be any number of leading dimensions, and queries may be a view of a tensor."""
    answer = student.tiled_attention

    def given(lead: Lead) -> tuple[Any, ...]:
        return *inputs(draw, lead, 5, 7, 6, 4, SINGLE), 7

    assert_alike_in_front(answer, tiled_attention, given)
    views = (tensor.transpose(0, 1) for tensor in inputs(draw, (6,), 2, 2, 5, 5, SINGLE))
    assert_alike_in_memory(answer, tiled_attention, *views, 6)
    x, _, changed = inputs(draw, (3,), 6, 6, 6, 6, torch.float64)
    changed[1:] = x[1:]
    assert_apart(lambda rows: student.tiled_attention(rows, rows, rows, 2), x, changed)


@exercise("tiled_attention")
@pytest.mark.points(1, "numerics")
def test_tiles_keep_their_dtype(student: Any, draw: Draw, lead: Lead) -> None:
    """In float16 and bfloat16 the output is right; it keeps every dtype."""
    for dtype in (torch.float16, torch.bfloat16):
        q, k, v = inputs(draw, lead, 6, 6, 5, 3, dtype)
        for is_causal in (False, True):
            _assert_right(student, q, k, v, 2, is_causal=is_causal)
    double = inputs(draw, lead, 6, 6, 5, 3, torch.float64)
    assert_keeps_double(student.tiled_attention(*double, 2))


@exercise("tiled_attention")
@pytest.mark.points(13, "structure")
def test_memory_grows_with_the_block(student: Any, draw: Draw) -> None:
    """Attention on a long row, causal or not, is worked out without a table of queries by keys."""
    growth = growth_over_a_long_row(student, draw)
    if growth.plain > MOST_PLAIN or growth.causal > MOST_CAUSAL:
        raise Wrong(
            "On a long row, memory grows by as much as a table of every query by every key.",
            "table-made-whole" if growth.plain > MOST_PLAIN else "table-when-causal",
        )
    # A process that has been larger before does not grow for a table: what ran is asked, too.
    table = table_in_tiles(student, draw)
    if table is not None:
        raise Wrong(
            "A tensor of every query by every key is made.",
            "table-made-whole" if table == "plain" else "table-when-causal",
        )


@exercise("tiled_attention")
@pytest.mark.points(1, "generality")
@pytest.mark.every_lead
def test_what_tiles_were_given_is_left_as_it_was(student: Any, draw: Draw, lead: Lead) -> None:
    """Queries, keys and values still hold the same numbers afterwards."""
    calls = [
        partial(student.tiled_attention, *inputs(draw, lead, n, n, 6, 6, SINGLE), 2, is_causal=True)
        for n in (5, 6)
    ]
    assert_leaves_inputs(student, *calls)


@exercise("tiled_attention")
@pytest.mark.points(1, "generality")
@pytest.mark.every_lead
def test_tiles_stay_on_the_device(student: Any, lead: Lead) -> None:
    """The output is on the device of the queries, with no detour through the CPU or NumPy."""

    def output(seq: int, is_causal: bool, device: str) -> object:
        q = torch.ones(*lead, seq, 4, device=device)
        return student.tiled_attention(q, q, q, BLOCK, is_causal=is_causal)

    calls = [partial(output, seq, causal) for seq in (BLOCK + 2, BLOCK) for causal in (False, True)]
    assert_stays_on_meta(*calls, reading=True)


def _assert_right(
    student: Any, q: Tensor, k: Tensor, v: Tensor, size: int, is_causal: bool = False
) -> None:
    options = {"is_causal": True} if is_causal else {}  # what stands there by default, else
    found = student.tiled_attention(q, k, v, size, **options)
    assert_matches(found, expected(tiled_attention, q, k, v, size, is_causal=is_causal))
