"""What the graders of FusedMultiHeadAttention on a GPU ask: precision, graph, memory and time.

Each takes its device, so that all but the memory can be tried on a CPU as well.
"""

import math
from typing import Any

import torch

from autograder.checks.kit.errors import StudentDied, StudentError
from autograder.judging import Wrong, assert_matches, expected
from autograder.judging.draw import Draw
from autograder.tensors.fresh import in_a_graph
from autograder.tensors.gradients import assert_gradients_match
from autograder.tensors.racing import slowdown
from graders.fused_attention.given_modules import loaded, reference_of, weights_of
from graders.modules import Weights, form

EXERCISE = "FusedMultiHeadAttention"
DTYPES = (torch.float32, torch.float16, torch.bfloat16)

LONG_HEADS, LONG_WIDTH, PERIOD = 16, 128, 4
ALIKE = 2e-2  # far above what the order of a hundred thousand sums changes in float16


def assert_precise(student: Any, draw: Draw, device: str) -> None:
    """Hold values and gradients in every dtype to the numerical policy.

    Raises:
        Wrong: they are further off than the dtype explains, or of another form.
    """
    weights = weights_of(draw, 64)
    for dtype in DTYPES:
        module = loaded(student, 64, 4, weights, device)
        module.to(dtype)
        reference = reference_of(64, 4, weights, device).to(dtype)
        x, upstream = (draw.normal(2, 33, 64, dtype=dtype, device=device) for _ in "ab")
        for masks in ({}, {"is_causal": True}):
            assert_matches(module(x, **masks), expected(reference, x, **masks))
            found = student.grad(module, x, upstream=upstream, **masks)
            assert_gradients_match(found, reference, x, upstream=upstream, **masks)


def assert_one_graph(student: Any, draw: Draw, device: str) -> None:
    """See that PyTorch's compiler takes the module as one graph, which gives the same.

    Raises:
        Wrong: it does not.
    """
    weights = weights_of(draw, 16)
    module, reference = (
        loaded(student, 16, 2, weights, device),
        reference_of(16, 2, weights, device),
    )
    x = draw.normal(2, 9, 16, device=device)
    try:
        found = in_a_graph(student, module, x, is_causal=True)
    except StudentError as error:
        raise Wrong(
            "torch.compile(fullgraph=True) cannot take your module as one graph: it stops with "
            f"{error.type_name}."
        ) from None
    assert_matches(found, expected(reference, x, is_causal=True))


def assert_no_table(student: Any, draw: Draw, device: str, length: int) -> None:
    """See that memory is not taken for a table of every query by every key.

    The sequence is a short one over and over. Among copies of the same tokens attention gives what
    it gives among one of each, so that code that does less on a long one is seen by its values.

    Args:
        student: whose module it is.
        draw: gives the short sequence.
        device: where it runs.
        length: at which one table of all heads does not fit into the device's memory.

    Raises:
        Wrong: the memory does not suffice, or the values are others.
    """
    weights = weights_of(draw, LONG_WIDTH)
    module = loaded(student, LONG_WIDTH, LONG_HEADS, weights)
    module.requires_grad_(False)
    module.to(device=device, dtype=torch.float16)
    reference = reference_of(LONG_WIDTH, LONG_HEADS, weights, device).half()
    short = draw.normal(1, PERIOD, LONG_WIDTH, dtype=torch.float16, device=device)
    wanted = module(short)
    assert_matches(wanted, expected(reference, short))
    try:
        found = module(short.repeat(1, length // PERIOD, 1))
    except StudentDied as died:
        if died.reason != "out_of_memory":
            raise
        raise Wrong(
            "On a long sequence, the memory of the GPU does not suffice: a table of every query by "
            "every key would fill it."
        ) from None
    if form(found) != (device.partition(":")[0], str(torch.float16), (1, length, LONG_WIDTH)):
        raise Wrong("On a long sequence, your module does not give one vector a token.")
    again = wanted.repeat(1, length // PERIOD, 1)
    if not torch.allclose(found.float(), again.float(), rtol=ALIKE, atol=ALIKE):
        raise Wrong("On a long sequence, your module gives what it does not on a short one.")


def length_beyond(memory_bytes: int) -> int:
    """A length at which a table of float16, for LONG_HEADS heads, has twice that many bytes."""
    length = math.isqrt(memory_bytes // LONG_HEADS)
    return length + -length % PERIOD


def without_biases(weights: Weights) -> Weights:
    """The same weights with biases of zero.

    An average over thousands of tokens comes to a few hundredths. Beside a bias, no error in it
    would be seen.
    """
    return {
        name: torch.zeros_like(one) if name.endswith("bias") else one
        for name, one in weights.items()
    }


def times_the_reference(
    student: Any, draw: Draw, device: str, shape: tuple[int, int, int], heads: int, **size: Any
) -> float:
    """How many times as long as the reference the module takes, in float16.

    Args:
        student: whose module it is.
        draw: gives weights and inputs.
        device: where it runs.
        shape: of an input, (batch, seq, d_model).
        heads: how many there are.
        size: `rounds`, `runs` and `hopeless`, as `slowdown` takes them.

    Raises:
        Wrong: what comes out is not what the reference gives.
    """
    weights = without_biases(weights_of(draw, shape[-1]))

    def build(student: Any) -> Any:
        module = loaded(student, shape[-1], heads, weights, device)
        module.to(torch.float16)
        module.eval()
        return module

    return slowdown(student, EXERCISE, build, draw, shape, torch.float16, device, **size)
