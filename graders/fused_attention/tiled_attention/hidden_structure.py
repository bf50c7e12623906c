"""Hidden graders of tiled_attention that look at the operations which ran."""

from typing import Any

import pytest

from autograder.judging import Wrong, exercise
from autograder.judging.draw import Draw
from autograder.tensors.structure import Structure
from graders.fused_attention.given_structure import (
    BLOCK,
    LENGTH,
    plain_and_causal,
    table_in_tiles,
    tiles,
)


@exercise("tiled_attention")
@pytest.mark.points(2, "structure")
def test_pytorchs_attention_is_not_called(student: Any, draw: Draw) -> None:
    """The softmax is joined from blocks by the function itself, not by PyTorch's attention."""

    def look(is_causal: bool) -> Structure:
        # Nobody can wait for these with something else in hand.
        block, blocks = draw.integer(5, 9), draw.integer(3, 5)
        return tiles(student, draw, block * blocks, is_causal, block=block)

    for _, ran in plain_and_causal(look):
        if ran.calls_attention:
            raise Wrong("PyTorch's own attention runs.", "pytorchs-attention-called")


@exercise("tiled_attention")
@pytest.mark.points(12, "structure")
def test_keys_are_worked_through_in_blocks_of_that_size(student: Any, draw: Draw) -> None:
    """Attention is worked out with no softmax over a whole row; smaller blocks are more blocks."""
    small, large = (tiles(student, draw, LENGTH, queries=1, block=n) for n in (BLOCK, LENGTH))
    named = small.calls_attention or table_in_tiles(student, draw) is not None
    if small.most_exponentials >= LENGTH:
        raise Wrong(
            "The softmax of a query is taken over all keys at once.",
            None if named else "whole-rows",
        )
    if small.growth_over(large) < LENGTH // BLOCK // 2:
        raise Wrong(
            "Hardly more operations run for small blocks than for one of all keys.",
            None if named else "block-size-ignored",
        )
