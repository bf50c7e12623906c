"""Hidden graders of 04-multi-head-attention: split_heads and merge_heads."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import torch
from torch import Tensor

import graders.multi_head_attention.probes  # noqa: F401 - registers the probes
from autograder.judging import Wrong, assert_matches, exercise, expected
from autograder.judging.draw import Draw
from autograder.judging.properties import (
    assert_inputs_unchanged,
    assert_leaves_inputs,
    assert_varied,
    same_bits,
)
from autograder.judging.registry import keep_own
from autograder.tensors.devices import assert_stays_on_meta
from autograder.tensors.gradients import assert_gradients_match
from graders.modules import assert_heads_refused, remark_on_no_heads
from solutions.multi_head_attention import reference

# batch, seq, d_model, heads: all different; then as many heads as tokens; then one of each, and
# heads of one feature; then the first again, whose new values show a result that was kept.
SPLITS = ((2, 5, 12, 3), (4, 3, 14, 2), (1, 4, 20, 4), (3, 1, 6, 1), (2, 3, 4, 4), (2, 5, 12, 3))

keep_own("merge_heads", "split_heads", because="it shows where each number goes, backwards")


@exercise("split_heads")
@pytest.mark.points(3, "values")
def test_head_h_owns_the_hth_block_of_features(student: Any, draw: Draw) -> None:
    """Head h holds the h-th block of neighbouring features of every token."""
    for batch, seq, d_model, heads in SPLITS:
        x = draw.normal(batch, seq, d_model)
        assert_matches(student.split_heads(x, heads), expected(reference.split_heads, x, heads))
    view = draw.normal(5, 2, 12).transpose(0, 1)
    assert_matches(student.split_heads(view, 3), expected(reference.split_heads, view, 3))


@exercise("split_heads")
@pytest.mark.points(1.5, "values")
def test_a_tokens_features_stay_with_the_token(student: Any, draw: Draw) -> None:
    """Changing one token changes that token in every head, and no other token."""
    batch, seq, d_model, heads, token = 3, 4, 10, 2, draw.integer(1, 2)
    x = torch.zeros(batch, seq, d_model)
    x[:, token] = draw.normal(batch, d_model)
    per_head = student.split_heads(x, heads)
    assert_varied(per_head, reference.split_heads(x, heads))
    touched = (per_head != 0).any(-1)  # (batch, heads, seq)
    if int(touched.sum()) > int(touched[..., token].sum()):
        raise Wrong("Some of a token's features end up with another token.")
    if not bool(touched[..., token].all()):
        raise Wrong("In some head, nothing of a token is left.")


@exercise("split_heads")
@pytest.mark.points(0.5, "values")
def test_what_was_split_can_be_merged(student: Any, draw: Draw) -> None:
    """No number is lost or changed: the heads side by side are the tokens again, bit for bit."""
    x = draw.normal(3, 7, 8, dtype=torch.float64)
    per_head = student.split_heads(x, 4)
    assert_varied(per_head, reference.split_heads(x, 4))
    if not same_bits(reference.merge_heads(per_head), x):
        raise Wrong("The heads, laid side by side again, are not the tokens that were split.")


@exercise("split_heads")
@pytest.mark.points(1, "form")
def test_heads_come_before_positions(student: Any, draw: Draw) -> None:
    """The result has the shape (batch, heads, seq, d_head)."""
    batch, seq, d_model, heads = 4, 7, 15, 5
    x = draw.normal(batch, seq, d_model)
    assert_varied(student.split_heads(x, heads), reference.split_heads(x, heads))


@exercise("split_heads")
@pytest.mark.points(1, "errors")
def test_a_number_of_heads_that_does_not_divide_is_refused(student: Any) -> None:
    """Heads that do not share d_model evenly raise ValueError; its text names both numbers."""
    for d_model, num_heads in ((10, 4), (6, 9)):
        assert_heads_refused(_splitting(student), d_model, num_heads)


@exercise("split_heads")
@pytest.mark.remark
@pytest.mark.points(1, "errors")
def test_fewer_heads_than_one_are_refused(student: Any) -> None:
    """No heads, or fewer than none, raise ValueError; its text names both numbers."""
    remark_on_no_heads(_splitting(student))


@exercise("split_heads")
@pytest.mark.points(0.5, "gradient")
def test_gradients_find_their_way_back(student: Any, draw: Draw) -> None:
    """Each feature gets the gradient of the place it was moved to."""
    x, upstream = draw.normal(2, 5, 6), draw.normal(2, 3, 5, 2)
    found = student.grad("split_heads", x, 3, upstream=upstream)
    assert_gradients_match(found, reference.split_heads, x, 3, upstream=upstream)


@exercise("split_heads")
@pytest.mark.points(0.25, "numerics")
def test_splitting_keeps_dtype_and_input(student: Any, draw: Draw) -> None:
    """A tensor in bfloat16 or float64 keeps its dtype, and is not changed."""
    for dtype in (torch.bfloat16, torch.float64):
        x = draw.normal(2, 3, 10, dtype=dtype)
        per_head = student.split_heads(x, 5)
        assert_inputs_unchanged(student, per_head)
        if per_head.dtype != x.dtype:
            assert_matches(per_head, reference.split_heads(x, 5))


@exercise("split_heads")
@pytest.mark.points(0.25, "generality")
def test_splitting_stays_on_the_device(student: Any) -> None:
    """The result is on the device of the input, with no detour through the CPU or NumPy."""

    def per_head(seq: int, device: str) -> object:
        return student.split_heads(torch.ones(2, seq, 12, device=device), 3)

    assert_stays_on_meta(partial(per_head, 5), partial(per_head, 3), reading=True)


@exercise("merge_heads")
@pytest.mark.points(3, "values")
def test_heads_lie_side_by_side_in_every_token(student: Any, draw: Draw) -> None:
    """Each token holds the features of head 0, then of head 1, and so on."""
    for batch, seq, d_model, heads in SPLITS:
        x = draw.normal(batch, heads, seq, d_model // heads)
        x *= 1e3  # numbers of any size are moved as they are
        assert_matches(student.merge_heads(x), expected(reference.merge_heads, x))


@exercise("merge_heads")
@pytest.mark.points(1.5, "values")
def test_a_tokens_slices_come_together_in_that_token(student: Any, draw: Draw) -> None:
    """Changing one token in every head changes that token, and no other."""
    batch, heads, seq, d_head, token = 3, 2, 4, 5, draw.integer(1, 2)
    x = torch.zeros(batch, heads, seq, d_head)
    x[:, :, token] = draw.normal(batch, heads, d_head)
    merged = student.merge_heads(x)
    assert_varied(merged, reference.merge_heads(x))
    touched = (merged != 0).any(-1)  # (batch, seq)
    if int(touched.sum()) > int(touched[:, token].sum()):
        raise Wrong("Some of a token's slices end up with another token.")
    if not bool(touched[:, token].all()):
        raise Wrong("Nothing of a token's slices is left.")


@exercise("merge_heads")
@pytest.mark.points(1, "values")
def test_merging_undoes_splitting(student: Any, draw: Draw) -> None:
    """Merging what was split gives back the tokens, bit for bit."""
    x = draw.normal(3, 7, 8)
    split = reference.split_heads(x, 4)
    for heads in (split, split.contiguous()):
        merged = student.merge_heads(heads)
        assert_matches(merged, x)
        if not same_bits(merged, x):
            raise Wrong("Merging what was split changes the numbers a little.")


@exercise("merge_heads")
@pytest.mark.points(1, "form")
def test_one_vector_a_token_is_left(student: Any, draw: Draw) -> None:
    """The result has the shape (batch, seq, d_model)."""
    x = draw.normal(3, 5, 2, 4)
    assert_varied(student.merge_heads(x), reference.merge_heads(x))


@exercise("merge_heads")
@pytest.mark.points(0.5, "gradient")
def test_gradients_reach_every_slice(student: Any, draw: Draw) -> None:
    """Each slice gets the gradient of the place it was moved to."""
    x, upstream = draw.normal(2, 3, 5, 4), draw.normal(2, 5, 12)
    found = student.grad("merge_heads", x, upstream=upstream)
    assert_gradients_match(found, reference.merge_heads, x, upstream=upstream)


@exercise("merge_heads")
@pytest.mark.points(0.25, "numerics")
def test_merging_keeps_dtype_and_input(student: Any, draw: Draw) -> None:
    """A tensor in bfloat16 or float64 keeps its dtype, and is not changed."""

    def merged(x: Tensor) -> object:
        found = student.merge_heads(x)
        if not isinstance(found, Tensor) or found.dtype != x.dtype:
            assert_matches(found, reference.merge_heads(x))
        return found

    for dtype in (torch.bfloat16, torch.float64):
        given = (draw.normal(2, 5, seq, 4, dtype=dtype) for seq in (3, 1))
        assert_leaves_inputs(student, *(partial(merged, x) for x in given))


@exercise("merge_heads")
@pytest.mark.points(0.25, "generality")
def test_merging_stays_on_the_device(student: Any) -> None:
    """The result is on the device of the input, with no detour through the CPU or NumPy."""

    def merged(seq: int, device: str) -> object:
        return student.merge_heads(torch.ones(2, 3, seq, 4, device=device))

    assert_stays_on_meta(partial(merged, 5), partial(merged, 1), reading=True)


def _splitting(student: Any) -> Callable[[int, int], object]:
    return lambda d_model, num_heads: student.split_heads(torch.zeros(2, 3, d_model), num_heads)
