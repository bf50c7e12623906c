"""Hidden graders of triton_attention that only a GPU can answer, where kernels are compiled.

What they ask takes its device, so that all but the speed can be tried on a CPU as well.
"""

from collections.abc import Sequence
from typing import Any

import pytest
import torch

from autograder.judging import Wrong, assert_matches, exercise, expected
from autograder.judging.draw import Draw
from autograder.tensors.racing import slowdown
from graders.fused_attention.tiling_inputs import inputs
from graders.fused_attention.triton_attention.hidden_structure import (
    ARITHMETIC,
    ATTENDING,
    operations_of,
)
from solutions.fused_attention.reference import tiled_attention

# In float32, blocks of 128 by 128 at a greater width fill the chip of many a card.
WIDTHS = {torch.float32: (12, 10), torch.float16: (64, 64), torch.bfloat16: (64, 64)}
LENGTHS = (33, 130, 257)  # of one kind to the compiler, so that each kernel is compiled once

# (heads, seq, d_head) in float16. Measured on an H200: a kernel that turns everything into float32
# multiplies without the units that are made for float16, and takes 12 to 22 times as long; with one
# query a program it is 27. Both are right. Kernels that are compiled anew at every call, or whose
# programs wait for each other, take hundreds.
RACE, MOST_TIMES = (32, 4096, 64), 50.0


@exercise("triton_attention")
@pytest.mark.needs("triton", "3.7")
@pytest.mark.points(2, "numerics")
@pytest.mark.devices("cuda")
def test_every_dtype_is_right_on_a_gpu(student: Any, device: str, draw: Draw) -> None:
    """On a GPU, values are right in float32, float16 and bfloat16, causal or not."""
    assert_precise(student, draw, device, tuple(WIDTHS))


@exercise("triton_attention")
@pytest.mark.needs("triton", "3.7")
@pytest.mark.points(3, "structure")
@pytest.mark.devices("cuda")
def test_a_kernel_is_worth_running_on_a_gpu(student: Any, device: str, draw: Draw) -> None:
    """On a GPU, it is your kernel that computes, and in less than 50 times the reference's time."""
    assert_own_work(student, draw, device)
    times = times_the_reference(student, draw, device, RACE)
    if times > MOST_TIMES:
        raise Wrong(
            f"On a GPU, your kernel takes {times:.0f} times as long as the reference on "
            f"{RACE[1]:,} tokens. How many programs are there to run beside each other, how many "
            "queries share a block of keys, and is the kernel defined outside of the function? "
            "Inside, it is compiled anew at every call."
        )


def assert_precise(student: Any, draw: Draw, device: str, dtypes: Sequence[torch.dtype]) -> None:
    """Hold values to the numerical policy, causal or not, over several blocks and heads.

    Raises:
        Wrong: they are further off than the dtype explains, or of another form.
    """
    for dtype in dtypes:
        for lead, length in zip(((2, 3), (), (2,)), LENGTHS, strict=True):
            q, k, v = inputs(draw, lead, length, length, *WIDTHS[dtype], dtype, device)
            for options in ({}, {"is_causal": True}):
                found = student.triton_attention(q, k, v, **options)
                assert_matches(found, expected(tiled_attention, q, k, v, 32, **options))


def assert_own_work(student: Any, draw: Draw, device: str) -> None:
    """See that PyTorch computes nothing of it in the dtype and at the width that are timed.

    Raises:
        Wrong: it does.
    """
    length, width = LENGTHS[0], RACE[-1]
    given = inputs(draw, (2,), length, length, width, width, torch.float16, device)
    if operations_of(student, given, is_causal=False) & (ATTENDING | ARITHMETIC):
        raise Wrong("On a GPU, PyTorch's operations compute it, or a part of it.")


def times_the_reference(
    student: Any, draw: Draw, device: str, shape: tuple[int, int, int], **size: Any
) -> float:
    """How many times as long as the reference the function takes, in float16.

    Args:
        student: whose function it is.
        draw: gives the inputs.
        device: where it runs.
        shape: of queries, keys and values, (heads, seq, d_head).
        size: `rounds`, `runs` and `hopeless`, as `slowdown` takes them.

    Raises:
        Wrong: what comes out is not what the reference gives.
    """
    name, dtype = "triton_attention", torch.float16
    size = {"hopeless": 2 * MOST_TIMES} | size
    return slowdown(student, name, lambda _: name, draw, shape, dtype, device, inputs=3, **size)
