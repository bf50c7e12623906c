"""How to observe answers to split_heads, merge_heads and to_torch_mask for a diagnosis."""

from typing import Any

import torch

from autograder.judging import probe
from autograder.judging.draw import Draw
from autograder.judging.registry import Observations
from graders.modules import mask_of, names_numbers


@probe(
    "split_heads",
    refusal=("indivisible", "more heads than features", "names numbers"),
)
def observe_split_heads(student: Any) -> Observations:
    """Heads of fixed tokens, with even and uneven sizes, and what a bad number of heads raises."""
    draw = Draw(b"probe", "split_heads")
    x, single = draw.normal(2, 5, 12), draw.normal(1, 6, 4)
    positions_first = x.transpose(0, 1).contiguous().transpose(0, 1)
    upstream = draw.normal(2, 3, 5, 4)
    return {
        "heads": lambda: student.split_heads(x, 3),
        "other heads": lambda: student.split_heads(x, 2),
        "one batch": lambda: student.split_heads(single, 2),
        "one head": lambda: student.split_heads(x, 1),
        "one token": lambda: student.split_heads(x[:, :1], 3),
        "many heads": lambda: student.split_heads(x, 6),
        "as many heads as tokens": lambda: student.split_heads(x[:, :3].contiguous(), 3),
        "positions first in memory": lambda: student.split_heads(positions_first, 3),
        "gradients": lambda: student.grad("split_heads", x, 3, upstream=upstream).inputs,
        "bfloat16": lambda: student.split_heads(x.bfloat16(), 3),
        "indivisible": lambda: student.split_heads(x, 5),
        "more heads than features": lambda: student.split_heads(single, 8),
        "names numbers": lambda: names_numbers(lambda: student.split_heads(x, 5), 12, 5),
        "meta": lambda: student.split_heads(x.to("meta"), 3),
    }


@probe("merge_heads")
def observe_merge_heads(student: Any) -> Observations:
    """Tokens merged from fixed heads."""
    draw = Draw(b"probe", "merge_heads")
    x, single, upstream = draw.normal(2, 3, 5, 4), draw.normal(1, 2, 3, 4), draw.normal(2, 5, 12)
    as_split = x.transpose(1, 2).contiguous().transpose(1, 2)  # in memory as split_heads leaves it
    return {
        "heads": lambda: student.merge_heads(x),
        "heads as they are split": lambda: student.merge_heads(as_split),
        "one batch": lambda: student.merge_heads(single),
        "one token": lambda: student.merge_heads(x[:, :, :1].contiguous()),
        "as many heads as tokens": lambda: student.merge_heads(x[:, :, :3].contiguous()),
        "one feature a head": lambda: student.merge_heads(x[..., :1].contiguous()),
        "large": lambda: student.merge_heads(1e4 * x),
        "gradients": lambda: student.grad("merge_heads", x, upstream=upstream).inputs,
        "bfloat16": lambda: student.merge_heads(x.bfloat16()),
        "meta": lambda: student.merge_heads(x.to("meta")),
    }


@probe("to_torch_mask")
def observe_to_torch_mask(student: Any) -> Observations:
    """Masks of several shapes, causal and not, turned round."""
    draw = Draw(b"probe", "to_torch_mask")
    square, padding, full = (mask_of(draw, *s) for s in ((5, 5), (2, 1, 1, 7), (2, 3, 5, 7)))
    causal = torch.tril(torch.ones(6, 6, dtype=torch.bool))

    def changed() -> object:
        student.to_torch_mask(square.clone())
        return student.changed_inputs

    return {
        "square": lambda: student.to_torch_mask(square.clone()),
        "causal": lambda: student.to_torch_mask(causal.clone()),
        "padding": lambda: student.to_torch_mask(padding.clone()),
        "full": lambda: student.to_torch_mask(full.clone()),
        "all allowed": lambda: student.to_torch_mask(torch.ones(5, 5, dtype=torch.bool)),
        "one row": lambda: student.to_torch_mask(square[1].clone()),
        "meta": lambda: student.to_torch_mask(full.to("meta")),
        "changed": changed,
    }
