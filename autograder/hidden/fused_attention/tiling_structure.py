"""Hidden graders of tiled_attention that look at the operations which ran."""

from typing import Any

import pytest

from autograder.hidden.fused_attention.given_structure import tiles
from autograder.judging import Wrong, exercise
from autograder.judging.draw import Draw


@exercise("tiled_attention")
@pytest.mark.points(4)
def test_pytorchs_attention_is_not_called(student: Any, draw: Draw) -> None:
    """The softmax is joined from blocks by the function itself, not by PyTorch's attention."""
    for is_causal in (False, True):
        length = draw.integer(17, 31)  # nobody can wait for it with something else in hand
        if tiles(student, draw, length, is_causal, own=True).calls_attention:
            raise Wrong("PyTorch's own attention runs.", "pytorchs-attention-called")
