"""Hidden graders of triton_attention: what its kernel gives, whatever shape goes in.

The trusted side needs no Triton: it compares with tiled attention in PyTorch. On a CPU, kernels are
run by Triton's interpreter, on a GPU they are compiled. In bfloat16 the interpreter multiplies bits
as integers, so nothing is asked there but on a GPU.
"""

import builtins
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import torch
from torch import Tensor

import graders.fused_attention.triton_attention.probe  # noqa: F401 - registers the probe
from autograder.checks.kit.errors import MissingName, StudentError
from autograder.judging import Expected, Wrong, assert_matches, exercise, expected
from autograder.judging.draw import Draw
from autograder.judging.properties import (
    assert_agree,
    assert_leaves_inputs,
    assert_linear,
    assert_varied,
    same_bits,
)
from autograder.judging.registry import keep_own
from graders.fused_attention.tiling_inputs import assert_past_apart, inputs
from graders.fused_attention.triton_attention.triton_inputs import (
    LONGER,
    SEVERAL_BLOCKS,
    WIDER,
    WIDTHS,
    loud_future,
    one_head,
    rising_scores,
    scores_beyond_half,
    scores_far_below,
    sums_beyond_half,
)
from graders.laws import Lead, assert_alike_in_front, assert_alike_in_memory, split_view
from graders.modules import assert_apart, form
from solutions.fused_attention.reference import tiled_attention

SINGLE = torch.float32

keep_own(
    "triton_attention",
    "FusedMultiHeadAttention",
    "tiled_attention",
    "grouped_query_attention",
    because="a right one gives the same, without a kernel",
)
keep_own(
    "triton_attention",
    "fused_from_projections",
    "decode_step",
    because="it takes modules, and is not needed",
)


@exercise("triton_attention")
@pytest.mark.needs("triton", "3.7")
@pytest.mark.points(2, "values")
@pytest.mark.devices("cpu", "cuda")
def test_a_kernel_gives_attention(student: Any, device: str, draw: Draw, lead: Lead) -> None:
    """The output is attention over all keys."""
    for queries, keys, d_k, d_v in (
        (6, 6, 4, 5),
        (5, 7, 6, 10),
        (4, SEVERAL_BLOCKS, 7, 3),
        (6, 6, 4, 5),  # the first again, whose new values show a kept result
        (2, LONGER, 4, 3),
        (2, 3, 4, 4),
    ):
        q, k, v = inputs(draw, lead, queries, keys, d_k, d_v, SINGLE, device)
        _assert_right(student, q, k, v)
    assert_linear(lambda values: student.triton_attention(q, k, values), v, 2 * v.flip(-1))


@exercise("triton_attention")
@pytest.mark.needs("triton", "3.7")
@pytest.mark.points(1, "generality")
def test_blocks_need_not_be_full(student: Any, draw: Draw, lead: Lead) -> None:
    """Any number of queries and of keys is right, one or many, whatever the blocks hold."""
    for queries, keys in ((1, 1), (3, 16), (65, 33), (SEVERAL_BLOCKS, 5), (64, 128), (96, 96)):
        _assert_right(student, *inputs(draw, one_head(lead), queries, keys, 6, 3, SINGLE))


@exercise("triton_attention")
@pytest.mark.needs("triton", "3.7")
@pytest.mark.points(1, "generality")
def test_every_head_of_every_text_has_its_programs(student: Any, draw: Draw) -> None:
    """Every head of every text gets what it gets alone, however many dimensions count them."""
    answer, trusted = student.triton_attention, partial(tiled_attention, block_size=32)
    assert_alike_in_front(answer, trusted, lambda lead: inputs(draw, lead, 5, 7, 6, 4, SINGLE))
    q, k, v = inputs(draw, (2,), 5, 7, 6, 3, SINGLE)
    alone = answer(q[0], k[0], v[0])
    k[1] = v[1] = torch.nan  # what lies behind the keys and values of the first head
    found = answer(q, k, v)
    if form(found) != form(v[:, :5]):
        raise Wrong("Your function does not give one vector a query.")
    assert_agree(found[0], alone, "What a head gets depends on the keys or values of another.")
    x, _, changed = inputs(draw, (3,), 5, 5, 6, 6, SINGLE)
    changed[1:] = x[1:]
    assert_apart(lambda rows: answer(rows, rows, rows), x, changed)


@exercise("triton_attention")
@pytest.mark.needs("triton", "3.7")
@pytest.mark.points(4, "masking")
def test_causal_programs_attend_to_the_past(student: Any, draw: Draw, lead: Lead) -> None:
    """With `is_causal=True`, query i attends to keys 0 to i, in whatever block they stand."""
    for length in (9, SEVERAL_BLOCKS):
        q, k, v = inputs(draw, one_head(lead), length, length, 5, 6, SINGLE)
        _assert_right(student, q, k, v, is_causal=True)


@exercise("triton_attention")
@pytest.mark.needs("triton", "3.7")
@pytest.mark.points(2, "masking")
def test_later_keys_move_no_bit_of_a_kernels_output(student: Any, draw: Draw, lead: Lead) -> None:
    """With `is_causal=True`, what comes out for the past depends in no bit on the future."""
    q, k, v = inputs(draw, one_head(lead), 40, 40, 5, 6, SINGLE)
    now, other = 18, v.clone()
    other[..., now:, :] = 1e30
    before, after = (student.triton_attention(q, k, each, is_causal=True) for each in (v, other))
    for result in (before, after):
        assert_varied(result, v)
    if not same_bits(before[..., :now, :], after[..., :now, :]):
        raise Wrong("A change in the future changes what comes out for the past.")
    attend = partial(student.triton_attention, is_causal=True)
    assert_past_apart(attend, *_behind(lead, *loud_future(draw)), 3)


@exercise("triton_attention")
@pytest.mark.needs("triton", "3.7")
@pytest.mark.points(1, "numerics")
def test_a_kernel_keeps_large_scores_finite(student: Any, draw: Draw, lead: Lead) -> None:
    """Scores of thousands give finite averages, in whatever block the highest one stands."""
    _assert_right(student, *_behind(lead, *rising_scores(draw)))
    _assert_right(student, *_behind(lead, *scores_far_below(draw)))


@exercise("triton_attention")
@pytest.mark.needs("triton", "3.7")
@pytest.mark.points(1, "numerics")
def test_a_kernel_sums_in_single_precision(student: Any, draw: Draw, lead: Lead) -> None:
    """In float16 the output is right and float16, also where sums are more than float16 holds."""
    for is_causal in (False, True):
        q, k, v = inputs(draw, lead, 6, 6, 5, 3, torch.float16)
        _assert_right(student, q, k, v, is_causal=is_causal)
    q, k, v = _behind(lead, *sums_beyond_half(draw))
    wide = tiled_attention(q.double(), k.double(), v.double(), 32)
    assert_matches(student.triton_attention(q, k, v), Expected(wide.half(), wide))
    _assert_right(student, *_behind(lead, *scores_beyond_half(draw)))


@exercise("triton_attention")
@pytest.mark.needs("triton", "3.7")
@pytest.mark.points(1, "generality")
def test_a_kernel_takes_any_width(student: Any, draw: Draw, lead: Lead) -> None:
    """Keys and values of any width are right, powers of two or not."""
    for d_k, d_v in (*WIDTHS, WIDER):
        _assert_right(student, *inputs(draw, lead, 5, 9, d_k, d_v, SINGLE))


@exercise("triton_attention")
@pytest.mark.needs("triton", "3.7")
@pytest.mark.points(1, "generality")
@pytest.mark.every_lead
def test_a_kernel_takes_any_layout(student: Any, draw: Draw, lead: Lead) -> None:
    """Queries, keys and values may be views: transposed, or heads of a split tensor."""
    answer, trusted = student.triton_attention, partial(tiled_attention, block_size=32)
    transposed = (draw.normal(*lead, 4, rows).mT for rows in (5, 7, 7))
    assert_alike_in_memory(answer, trusted, *transposed)
    assert_alike_in_memory(answer, trusted, *(split_view(draw, lead, 5, 6) for _ in "qkv"))


@exercise("triton_attention")
@pytest.mark.needs("triton", "3.7")
@pytest.mark.points(1, "generality")
@pytest.mark.every_lead
def test_what_a_kernel_was_given_is_left_as_it_was(student: Any, draw: Draw, lead: Lead) -> None:
    """Queries, keys and values still hold the same numbers afterwards."""
    calls = [
        partial(student.triton_attention, *inputs(draw, lead, 5, 5, d, d, SINGLE), is_causal=True)
        for d in (6, 16)
    ]
    assert_leaves_inputs(student, *calls)


@exercise("triton_attention")
@pytest.mark.needs("triton", "3.7")
@pytest.mark.points(1, "errors")
def test_tensors_that_do_not_fit_are_refused(student: Any, draw: Draw, lead: Lead) -> None:
    """Keys of another width than queries, or fewer values than keys, raise ValueError."""
    q, k, v = inputs(draw, lead, 5, 7, 6, 4, SINGLE)
    wider = draw.normal(*lead, 7, 9)
    five, two = k[..., :5, :], v[..., :2, :]
    _assert_refused(lambda: student.triton_attention(q, wider, v), (6, 9))
    _assert_refused(lambda: student.triton_attention(q, k, v[..., :3, :]), (7, 3))
    _assert_refused(lambda: student.triton_attention(q, k[..., :4], v), (6, 4))
    _assert_refused(lambda: student.triton_attention(q, k[..., :4, :], v), (4, 7))
    _assert_refused(lambda: student.triton_attention(q, five, two, is_causal=True), (5, 2))


def _behind(lead: Lead, q: Tensor, k: Tensor, v: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """The same queries, keys and values behind leading dimensions, over and over."""
    return q.expand(*lead, *q.shape), k.expand(*lead, *k.shape), v.expand(*lead, *v.shape)


def _assert_refused(call: Callable[[], object], numbers: tuple[int, int]) -> None:
    try:
        call()
    except MissingName:
        raise
    except StudentError as error:
        if error.builtin == "NotImplementedError":  # the stub's
            raise
        if not issubclass(getattr(builtins, error.builtin, Exception), ValueError):
            raise Wrong("Tensors that do not fit raise another error than ValueError.") from None
        if not all(str(number) in error.message for number in numbers):
            raise Wrong("The error's text does not name both numbers.") from None
        return
    raise Wrong("Tensors that do not fit are accepted in silence.")


def _assert_right(student: Any, q: Tensor, k: Tensor, v: Tensor, is_causal: bool = False) -> None:
    options = {"is_causal": True} if is_causal else {}  # what stands there by default, else
    found = student.triton_attention(q, k, v, **options)
    assert_matches(found, expected(tiled_attention, q, k, v, 32, is_causal=is_causal))
