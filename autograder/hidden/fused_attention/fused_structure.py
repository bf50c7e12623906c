"""Hidden graders of FusedMultiHeadAttention that look at the operations which ran.

Judged where PyTorch's own function is clean: inputs of four dimensions, no mask and no dropout.
"""

from typing import Any

import pytest

from autograder.hidden.fused_attention.given_structure import structure, table_in_module
from autograder.judging import Wrong, exercise
from autograder.judging.draw import Draw


@exercise("FusedMultiHeadAttention")
@pytest.mark.points(4)
def test_one_product_makes_queries_keys_and_values(student: Any, draw: Draw) -> None:
    """One matrix product with `qkv.weight` makes queries, keys and values together."""
    # A single token: whoever loops over the batch or over tokens is told so elsewhere.
    products = structure(student, draw, 1, 1, d_model=12, heads=4).products_with("qkv.weight")
    if products > 1:
        raise Wrong(
            "Several matrix products use pieces of `qkv.weight`; one product with all of it gives "
            "queries, keys and values together.",
            "three-products" if products == 3 else None,
        )


@exercise("FusedMultiHeadAttention")
@pytest.mark.points(4)
def test_pytorchs_fused_attention_runs(student: Any, draw: Draw) -> None:
    """PyTorch's fused attention does what comes between q, k, v and the heads' outputs."""
    for is_causal in (False, True):
        ran = structure(student, draw, 2, 5, d_model=12, heads=3, is_causal=is_causal)
        if not ran.calls_fused_attention:
            by_hand = table_in_module(student, draw) is None  # a table has a name of its own
            raise Wrong(
                "PyTorch's fused attention does not run.", "attention-by-hand" if by_hand else None
            )


@exercise("FusedMultiHeadAttention")
@pytest.mark.points(1.5)
def test_no_loop_runs_over_the_batch_or_over_queries(student: Any, draw: Draw) -> None:
    """As many operations run for a large batch or a long sequence as for a small one."""
    small, larger, longer = (
        structure(student, draw, batch, seq, d_model=12, heads=3)
        for batch, seq in ((2, 5), (6, 5), (2, 29))
    )
    if larger.growth_over(small) >= 4:
        raise Wrong("The larger the batch, the more operations run.", "loop-over-batch")
    if longer.growth_over(small) >= 24:
        raise Wrong("The longer the sequence, the more operations run.", "loop-over-queries")
