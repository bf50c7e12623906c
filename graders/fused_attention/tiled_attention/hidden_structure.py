"""Hidden graders of tiled_attention that look at the operations which ran."""

from typing import Any

import pytest

from autograder.judging import Wrong, exercise
from autograder.judging.draw import Draw
from graders.fused_attention.given_structure import (
    BLOCK,
    LENGTH,
    table_in_tiles,
    tiles,
)


@exercise("tiled_attention")
@pytest.mark.points(4, "structure")
def test_pytorchs_attention_is_not_called(student: Any, draw: Draw) -> None:
    """The softmax is joined from blocks by the function itself, not by PyTorch's attention."""
    for is_causal in (False, True):
        length = draw.integer(17, 31)  # nobody can wait for it with something else in hand
        if tiles(student, draw, length, is_causal).calls_attention:
            raise Wrong("PyTorch's own attention runs.", "pytorchs-attention-called")


@exercise("tiled_attention")
@pytest.mark.points(2, "structure")
def test_keys_are_worked_through_in_blocks_of_that_size(student: Any, draw: Draw) -> None:
    """No query's softmax is taken over its whole row, and smaller blocks are more of them."""
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
