"""Hidden graders of FusedMultiHeadAttention that look at the operations which ran.

Inputs have four dimensions: given fewer, PyTorch's own function fuses nothing. Nor does it always
under a mask or with dropout; what shows there is that it was called.
"""

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
import torch

from autograder.judging import Wrong, exercise
from autograder.judging.draw import Draw
from graders.fused_attention.given_modules import RARE_DROPOUT
from graders.fused_attention.given_structure import structure, table_in_module
from graders.modules import mask_of


@exercise("FusedMultiHeadAttention")
@pytest.mark.points(4, "structure")
def test_one_product_makes_queries_keys_and_values(student: Any, draw: Draw) -> None:
    """One matrix product with `qkv.weight` makes queries, keys and values together."""
    # A single token: whoever loops over the batch or over tokens is told so elsewhere.
    for mask in (None, torch.ones(1, 1, dtype=torch.bool)):
        ran = structure(student, draw, 1, 1, d_model=12, heads=4, mask=mask)
        products = ran.products_with("qkv.weight")
        if products > 1:
            raise Wrong(
                "Several matrix products use pieces of `qkv.weight`; one product with all of it "
                "gives queries, keys and values together.",
                "three-products" if products == 3 else None,
            )


@exercise("FusedMultiHeadAttention")
@pytest.mark.points(5, "structure")
def test_pytorchs_fused_attention_runs(student: Any, draw: Draw) -> None:
    """PyTorch's fused attention does what comes between q, k, v and the heads' outputs."""
    if not _fused_attention_runs(student, draw):
        # A table has a name of its own, and so has whatever else makes PyTorch's attention slow.
        by_hand = not any(_attention_runs(student, draw)) and not table_in_module(student, draw)
        raise Wrong(
            "PyTorch's fused attention does not run.", "attention-by-hand" if by_hand else None
        )


@exercise("FusedMultiHeadAttention")
@pytest.mark.points(1, "structure")
def test_pytorchs_attention_runs_under_every_mask(student: Any, draw: Draw) -> None:
    """PyTorch's attention does that under a mask too, and in training with dropout."""
    own_rows, padding = mask_of(draw, 2, 3, 5, 5), mask_of(draw, 2, 1, 1, 5)
    for symptom, slug, calls in (
        (
            "Given a mask, PyTorch's attention does not run.",
            "attention-by-hand-with-a-mask",
            ({"mask": own_rows}, {"mask": padding, "is_causal": True}),
        ),
        (
            "In training with dropout, PyTorch's attention does not run.",
            "attention-by-hand-in-training",
            ({"dropout": RARE_DROPOUT},),
        ),
    ):
        for options in calls:
            ran = structure(student, draw, 2, 5, d_model=12, heads=3, **options)
            if not ran.calls_attention:
                named = _fused_attention_runs(student, draw)  # else it has a name already
                raise Wrong(symptom, slug if named else None)


@exercise("FusedMultiHeadAttention")
@pytest.mark.points(1, "structure")
def test_no_loop_runs_over_the_batch_or_over_queries(student: Any, draw: Draw) -> None:
    """As many operations run for a large batch or a long sequence as for a small one."""
    for masked, is_causal in product((False, True), repeat=2):
        small, larger, longer = (
            structure(student, draw, batch, seq, 12, 3, is_causal, mask)
            for batch, seq in ((2, 5), (6, 5), (2, 29))
            for mask in [mask_of(draw, batch, 1, 1, seq) if masked else None]
        )
        where, kind = ("Given a mask, the", "-with-a-mask") if masked else ("The", "")
        if larger.growth_over(small) >= 4:
            raise Wrong(
                f"{where} larger the batch, the more operations run.", f"loop-over-batch{kind}"
            )
        if longer.growth_over(small) >= 24:
            raise Wrong(
                f"{where} longer the sequence, the more operations run.", f"loop-over-queries{kind}"
            )


def _attention_runs(student: Any, draw: Draw) -> Iterator[bool]:
    """Whether PyTorch's attention runs without a mask, fused or not, causal or not."""
    for is_causal in (False, True):
        ran = structure(student, draw, 2, 5, d_model=12, heads=3, is_causal=is_causal)
        yield ran.calls_attention


def _fused_attention_runs(student: Any, draw: Draw) -> bool:
    """Whether PyTorch's fused attention runs without a mask, causal or not."""
    return all(
        structure(
            student, draw, 2, 5, d_model=12, heads=3, is_causal=is_causal
        ).calls_fused_attention
        for is_causal in (False, True)
    )
