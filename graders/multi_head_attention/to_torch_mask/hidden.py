"""Hidden graders of 04-multi-head-attention: to_torch_mask.

What a mask forbids is read from numbers, too: that it holds True and False has its own test.
"""

from functools import partial
from typing import Any

import pytest
import torch
from torch import Tensor

import graders.multi_head_attention.probes  # noqa: F401 - registers the probe
from autograder.judging import Wrong, assert_matches, exercise
from autograder.judging.draw import Draw
from autograder.judging.properties import assert_leaves_inputs
from autograder.tensors.devices import assert_stays_on_meta
from graders.modules import mask_of
from graders.multi_head_attention.given_weights import (
    expected_part,
    pytorchs,
    reference_of,
    weights_of,
)

Lead = tuple[int, ...]


@exercise("to_torch_mask")
@pytest.mark.points(3, "values")
def test_what_is_allowed_is_no_longer_forbidden(student: Any, draw: Draw, lead: Lead) -> None:
    """The result forbids exactly what a table of queries by keys does not allow."""
    for queries, keys in ((5, 7), (6, 6), (5, 7)):
        mask = mask_of(draw, *lead, queries, keys)
        assert_matches(_forbidden(student.to_torch_mask(mask)), ~mask)


@exercise("to_torch_mask")
@pytest.mark.points(1, "generality")
def test_masks_of_any_shape_are_turned_round(student: Any, draw: Draw) -> None:
    """A mask with any number of axes is turned round, and keeps its shape."""
    for shape in ((2, 1, 1, 7), (2, 3, 5, 7), (1, 1, 5, 7), (2, 3, 4), (3, 6), (4,)):
        mask = draw.normal(*shape) > 0
        mask[..., 0] = False
        assert_matches(_forbidden(student.to_torch_mask(mask)), ~mask)
    everything = torch.ones(6, 6, dtype=torch.bool)
    for usual in (torch.zeros(3, 1, 5, dtype=torch.bool), everything, everything.tril()):
        assert_matches(_forbidden(student.to_torch_mask(usual)), ~usual)


@exercise("to_torch_mask")
@pytest.mark.points(0.5, "form")
def test_the_result_holds_true_and_false(student: Any, draw: Draw, lead: Lead) -> None:
    """The result has dtype bool."""
    found = student.to_torch_mask(mask_of(draw, *lead, 5, 7))
    if not isinstance(found, Tensor):
        raise Wrong("Your function does not give a tensor back.")
    if found.dtype != torch.bool:
        kind = str(found.dtype).removeprefix("torch.")
        raise Wrong(f"Your mask holds {kind} values where bool was promised.")


@exercise("to_torch_mask")
@pytest.mark.points(2, "values")
def test_pytorchs_module_attends_as_ours(student: Any, draw: Draw) -> None:
    """With the mask that comes back, `nn.MultiheadAttention` attends as ours meant it."""
    weights, mask, x = weights_of(draw, 6), mask_of(draw, 5, 5), draw.normal(2, 5, 6)
    given = student.to_torch_mask(mask)
    if not isinstance(given, Tensor) or given.device != mask.device or given.shape != mask.shape:
        assert_matches(given, ~mask)
    if given.dtype != torch.bool and not given.is_floating_point():
        raise Wrong("Your mask holds numbers that nn.MultiheadAttention does not take.")
    if given.is_floating_point():
        given = given.to(x.dtype)  # a half or a double that is added to scores means the same
    with torch.no_grad():
        found, _ = pytorchs(6, 3, weights)(x, x, x, attn_mask=given)
    try:
        assert_matches(found, expected_part(0, reference_of(6, 3, weights), x, mask))
    except Wrong:
        text = "Given your mask, nn.MultiheadAttention attends to other tokens than was meant."
        raise Wrong(text) from None


@exercise("to_torch_mask")
@pytest.mark.points(0.5, "generality")
@pytest.mark.every_lead
def test_the_mask_is_left_as_it_was(student: Any, draw: Draw, lead: Lead) -> None:
    """The mask that is passed in still holds the same values afterwards."""
    given = (mask_of(draw, *lead, *shape) for shape in ((5, 7), (1, 7), (6, 6)))
    assert_leaves_inputs(student, *(partial(student.to_torch_mask, mask) for mask in given))


@exercise("to_torch_mask")
@pytest.mark.points(0.5, "generality")
@pytest.mark.every_lead
def test_the_mask_stays_on_its_device(student: Any, lead: Lead) -> None:
    """The result is on the device of the mask, with no detour through the CPU or NumPy."""

    def turned(keys: int, device: str) -> object:
        return student.to_torch_mask(torch.ones(*lead, 5, keys, dtype=torch.bool, device=device))

    assert_stays_on_meta(partial(turned, 7), partial(turned, 5), reading=True)


def _forbidden(found: Any) -> Any:
    """Where a mask forbids, as True and False: 1 and -inf do, 0 does not."""
    if not isinstance(found, Tensor) or found.dtype == torch.bool or found.is_meta:
        return found
    zeros, marks = found == 0, (found == 1, found == -torch.inf)
    if not any(bool((zeros | mark).all()) for mark in marks):
        raise Wrong("Your mask holds numbers where True and False were promised.")
    return found != 0
