"""Hidden graders of FusedMultiHeadAttention that only a GPU can answer; they wait for one."""

from typing import Any

import pytest
import torch

from autograder.judging import Wrong, assert_matches, exercise, expected
from autograder.judging.draw import Draw
from autograder.tensors.fresh import waits_of
from graders.fused_attention.given_modules import loaded, reference_of, weights_of
from graders.fused_attention.gpu_worth import (
    assert_no_table,
    assert_one_graph,
    assert_precise,
    length_beyond,
    times_the_reference,
)
from graders.modules import mask_of

# Written out, attention reads and writes its table four to six times at this size, where the fused
# kernel does not; one product for each of q, k and v costs a tenth more than one for all.
RACE, RACE_HEADS, MOST_TIMES = (2, 4096, 1024), 16, 2.0


@exercise("FusedMultiHeadAttention")
@pytest.mark.points(1, "numerics")
@pytest.mark.devices("cuda")
def test_every_dtype_keeps_its_precision(student: Any, device: str, draw: Draw) -> None:
    """On a GPU, values and gradients are right in float32, float16 and bfloat16."""
    assert_precise(student, draw, device)


@exercise("FusedMultiHeadAttention")
@pytest.mark.points(0.5, "structure")
@pytest.mark.devices("cuda")
def test_nothing_waits_for_the_gpu(student: Any, device: str, draw: Draw) -> None:
    """On a GPU, `forward` asks for its work and waits for none of it."""
    weights = weights_of(draw, 16)
    module = loaded(student, 16, 2, weights, device)
    reference = reference_of(16, 2, weights, device)
    x = draw.normal(2, 9, 16, device=device)
    for masks in ({}, {"is_causal": True}, {"mask": mask_of(draw, 9, 9).to(device)}):
        assert_matches(module(x, **masks), expected(reference, x, **masks))
        waits = waits_of(student, module, x, **masks)
        if type(waits) is not int or waits != 0:
            raise Wrong("Your forward waits for the GPU: it reads a value back, or copies one.")


@exercise("FusedMultiHeadAttention")
@pytest.mark.points(0.5, "structure")
@pytest.mark.devices("cuda")
def test_it_compiles_as_one_graph(student: Any, device: str, draw: Draw) -> None:
    """On a GPU, `torch.compile(fullgraph=True)` takes the module as it is."""
    assert_one_graph(student, draw, device)


@exercise("FusedMultiHeadAttention")
@pytest.mark.points(1, "structure")
@pytest.mark.devices("cuda")
def test_no_table_is_made_on_a_long_sequence(student: Any, device: str, draw: Draw) -> None:
    """On a GPU, a sequence runs whose table of scores would not fit into its memory."""
    memory = torch.cuda.get_device_properties(device).total_memory
    assert_no_table(student, draw, device, length_beyond(memory))


@exercise("FusedMultiHeadAttention")
@pytest.mark.points(2, "structure")
@pytest.mark.devices("cuda")
def test_it_is_worth_running_on_a_gpu(student: Any, device: str, draw: Draw) -> None:
    """On a GPU, it takes less than twice as long as the reference."""
    times = times_the_reference(student, draw, device, RACE, RACE_HEADS)
    if times > MOST_TIMES:
        raise Wrong(
            f"On a GPU, your module takes {times:.1f} times as long as the reference on "
            f"{RACE[1]:,} tokens. One fused call for all heads and queries writes no table of "
            "scores down."
        )
