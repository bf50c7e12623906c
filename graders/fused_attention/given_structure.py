"""What runs in a student's module or in a student's tiles, and how large a table is made of it."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import torch
from torch import Tensor

from autograder.judging import Wrong
from autograder.judging.draw import Draw
from autograder.tensors.structure import UNSEEN, NoNumbers, Structure, structure_of
from graders.fused_attention.given_modules import loaded, made, reference_of, weights_of
from graders.fused_attention.tiling_inputs import front_taken, inputs
from solutions.fused_attention.reference import tiled_attention

# Blocks of queries are a fraction of this, and a table of every query by every key is not.
LONG = 520
# One block of scores, the products that are summed for it, and the outputs of all blocks together
# each hold fewer numbers than a table of every query by every key.
LENGTH, BLOCK, WIDTH = 48, 8, 2


def structure(
    student: Any,
    draw: Draw,
    batch: int,
    seq: int,
    d_model: int,
    heads: int,
    is_causal: bool = False,
    mask: Tensor | None = None,
    dropout: float = 0.0,
) -> Structure:
    """What runs in the student's module.

    Raises:
        Wrong: what was recorded does not lead to the output, or not by way of both weights.
    """
    # Whether biases are there has a claim of its own.
    known = made(student, d_model, heads, dropout=dropout).state_dict()
    there = set(known) if isinstance(known, Mapping) else set()
    weights = {
        name: tensor
        for name, tensor in weights_of(draw, d_model).items()
        if name in there or name.endswith(".weight")
    }
    ran = structure_of(
        student,
        loaded(student, d_model, heads, weights, dropout=dropout),
        draw.normal(batch, seq, d_model),
        *(() if mask is None else (mask,)),
        draw=draw,
        reference=lambda given: reference_of(d_model, heads, dict(given)),
        parameters=weights,
        own=lambda given: loaded(student, d_model, heads, dict(given), dropout=dropout),
        is_causal=is_causal,
    )
    if not all(ran.products_with(name) for name in ("qkv.weight", "out.weight")):
        raise Wrong(UNSEEN)
    return ran


def table_in_module(student: Any, draw: Draw) -> str | None:
    """Where a tensor of every query by every key is made: "plain", "causal" or nowhere."""
    for name, is_causal in (("plain", False), ("causal", True)):
        if structure(student, draw, 1, LONG, 4, 2, is_causal).largest >= LONG * LONG:
            return name
    return None


def tiles(
    student: Any,
    draw: Draw,
    length: int,
    is_causal: bool = False,
    queries: int | None = None,
    block: int = BLOCK,
) -> Structure:
    """What runs in the student's tiles, also in those that are wrong in their values.

    Args:
        length: number of keys, and of queries unless they are given.

    Raises:
        Wrong: what was recorded does not lead to the output.
    """
    # Values as wide as keys: PyTorch's own attention shows as itself there.
    queries = length if queries is None else queries
    front = front_taken(student, draw)
    q, k, v = inputs(draw, front, queries, length, WIDTH, WIDTH, torch.float32)
    return structure_of(
        student,
        "tiled_attention",
        *(q, k, v, block),
        draw=draw,
        reference=lambda _: tiled_attention,
        own=lambda _: student.tiled_attention,
        is_causal=is_causal,
    )


def plain_and_causal(look: Callable[[bool], Structure]) -> Iterator[tuple[str, Structure]]:
    """What runs without and with `is_causal`; the first alone where the second gives no numbers.

    Whoever gives NaN under a causal mask loses marks for that, and works blocks through all the
    same: it can be told from what is not masked.

    Args:
        look: what runs, with `is_causal` or without.

    Raises:
        Wrong: what was recorded does not lead to the output.
    """
    yield "plain", look(False)
    try:
        causal = look(True)
    except NoNumbers:
        return
    yield "causal", causal


def table_in_tiles(student: Any, draw: Draw) -> str | None:
    """Where a tensor of every query by every key is made: "plain", "causal" or nowhere."""
    for name, ran in plain_and_causal(lambda is_causal: tiles(student, draw, LENGTH, is_causal)):
        if ran.largest >= LENGTH * LENGTH:
            return name
    return None
