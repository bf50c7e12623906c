"""Hidden graders of triton_attention that look at what ran: kernels, and PyTorch's operations."""

from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import Tensor

from autograder.judging import Wrong, assert_matches, exercise, expected
from autograder.judging.draw import Draw
from autograder.judging.properties import assert_varied
from autograder.tensors.operations import EXPONENTIALS, OWN_ATTENTION, PRODUCTS
from autograder.tensors.traced import traced
from graders.fused_attention.tiling_inputs import inputs
from graders.fused_attention.triton_attention.triton_inputs import one_head
from graders.laws import Lead
from solutions.fused_attention.reference import tiled_attention

ARITHMETIC = frozenset("add sub rsub mul div sum mean where masked_fill amax max".split())  # noqa: SIM905
ATTENDING = PRODUCTS | EXPONENTIALS | OWN_ATTENTION
LENGTH, LONG = 12, 300
Given = tuple[Tensor, Tensor, Tensor]
UNSEEN = "What your function runs cannot be seen."


@exercise("triton_attention")
@pytest.mark.needs("triton", "3.7")
@pytest.mark.points(2, "structure")
@pytest.mark.every_lead
def test_a_kernel_of_ones_own_does_the_work(student: Any, draw: Draw, lead: Lead) -> None:
    """A Triton kernel writes the output, and PyTorch computes nothing of it."""
    front = one_head(lead)
    given = inputs(draw, front, LENGTH, LENGTH, 5, 3, torch.float32)
    found = student.triton_attention(*given)
    assert_varied(found, given[2])
    for place in range(3):  # a wrong answer, it may be, but one of all that goes in
        moved = [one.flip(-2) if at == place else one for at, one in enumerate(given)]
        other = student.triton_attention(*moved)
        assert_varied(other, given[2])
        if torch.equal(other, found):
            raise Wrong("Your output does not depend on queries, keys and values alike.")
    turned = inputs(draw, front, 5, 5, 5, 5, torch.float32)
    for now, is_causal in (
        (given, False),
        (given, True),
        (_each(Tensor.half, given), True),
        (_each(lambda one: one.mT, turned), False),
        (inputs(draw, front, 1, 9, 32, 32, torch.float32), False),
    ):
        q, _, v = now
        _, kernels, operations = _ran(student, now, is_causal)
        if operations & ATTENDING:
            raise Wrong("PyTorch's operations compute the attention.", "pytorch-computes")
        if operations & ARITHMETIC:
            raise Wrong("PyTorch's operations compute a part of it, outside of your kernel.")
        if kernels["stored"] < q[..., 0].numel() * v.shape[-1]:
            raise Wrong("No Triton kernel writes the output.")


@exercise("triton_attention")
@pytest.mark.needs("triton", "3.7")
@pytest.mark.points(2, "structure")
@pytest.mark.every_lead
def test_a_kernel_holds_no_whole_row(student: Any, draw: Draw, lead: Lead) -> None:
    """However many keys there are, no block of a kernel holds all of them."""
    q, k, v = inputs(draw, one_head(lead), 3, LONG, 5, 3, torch.float32)
    student.triton_attention(q, k, v)  # kernels are counted once one has been defined
    found, kernels, _ = _ran(student, (q, k, v), is_causal=False)
    assert_matches(found, expected(tiled_attention, q, k, v, 32))
    if not kernels["programs"]:
        _, short, _ = _ran(student, (q, k[..., :9, :], v[..., :9, :]), is_causal=False)
        raise Wrong("No Triton kernel runs.", "long-rows-by-pytorch" if short["programs"] else None)
    if kernels["longest"] >= LONG:
        raise Wrong("On a long row, one block of your kernel holds all keys.", "whole-rows")


def _each(change: Callable[[Tensor], Tensor], given: Given) -> Given:
    q, k, v = given
    return change(q), change(k), change(v)


def _ran(student: Any, given: Given, is_causal: bool) -> tuple[Any, dict[str, int], set[str]]:
    """A call's result, what kernels did in it, and the names of PyTorch's operations.

    Raises:
        Wrong: what the student's process tells of it is of another form.
    """
    found, recording = traced(student, "triton_attention", *given, is_causal=is_causal)
    kernels = recording.get("kernels")
    names = ("programs", "stored", "longest")
    if type(kernels) is not dict or any(type(kernels.get(name)) is not int for name in names):
        raise Wrong(UNSEEN)
    return found, kernels, _names(recording)


def operations_of(student: Any, given: Given, is_causal: bool) -> set[str]:
    """The names of PyTorch's operations in a call.

    Raises:
        Wrong: what the student's process tells of it is of another form.
    """
    return _names(traced(student, "triton_attention", *given, is_causal=is_causal)[1])


def _names(recording: dict[str, Any]) -> set[str]:
    operations = recording.get("operations")
    if type(operations) is not list:
        raise Wrong(UNSEEN)
    return {_base(one) for one in operations}


def _base(operation: Any) -> str:
    """The name of a recorded operation in torch.ops.aten, without its variant; or nothing."""
    name = operation[0] if type(operation) is list and operation else None
    parts = name.split(".") if type(name) is str else []
    return parts[1].removesuffix("_") if len(parts) > 1 else ""
