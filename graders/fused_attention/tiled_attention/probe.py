"""How to observe an answer to tiled_attention for a diagnosis."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from autograder.judging import probe
from autograder.judging.draw import Draw
from autograder.judging.properties import same_bits
from autograder.judging.registry import Observations
from graders.fused_attention.tiling_inputs import inputs, large_scores
from graders.modules import LOUD_VALUES, follows_values, form


@probe(
    "tiled_attention",
    numerics=(
        "large and negative",
        "large values",
    ),
)
def observe_tiled_attention(student: Any) -> Observations:
    """Outputs for fixed inputs in blocks of several sizes, causal or not."""
    draw = Draw(b"probe", "tiled_attention")
    crossed, square = (inputs(draw, (2,), 5, n, 6, 3, torch.float32) for n in (8, 5))
    upstream = draw.normal(2, 5, 3)
    q_large, *keys_and_values = large_scores(draw)
    many = inputs(draw, (2, 1, 3), 4, 6, 5, 2, torch.float32)

    def out(
        given: tuple[Tensor, ...], size: int, is_causal: bool = False, kind: Any = None
    ) -> Callable[[], object]:
        def look() -> object:
            result = student.tiled_attention(
                *(tensor.clone().to(kind) for tensor in given), size, is_causal=is_causal
            )
            return result if kind is None else form(result)

        return look

    def leaks() -> object:
        q, k, v = square
        other = v.clone()
        other[:, 3:] = 1e30
        results = [
            student.tiled_attention(q, k, values, 2, is_causal=True) for values in (v, other)
        ]
        return torch.equal(*(result[:, :3] for result in results))

    def large_values() -> object:
        q, k, v = crossed
        found, loud = (student.tiled_attention(q, k, each, 3) for each in (v, LOUD_VALUES * v))
        return follows_values(found, loud)

    def texts_meet() -> object:
        x, _, changed = inputs(Draw(b"probe", "texts"), (2,), 5, 5, 6, 6, torch.float64)
        changed[1:] = x[1:]
        before, after = (student.tiled_attention(rows, rows, rows, 2) for rows in (x, changed))
        return not same_bits(before[1:], after[1:])

    def changed() -> object:
        student.tiled_attention(*(tensor.clone() for tensor in square), 2, is_causal=True)
        return tuple(map(str, student.changed_inputs))

    return {
        "singly": out(crossed, 1),
        "in twos": out(crossed, 2),
        "all at once": out(crossed, 8),
        "in threes": out(crossed, 3),
        "in nines": out(crossed, 9),
        "as many queries as keys": out(square, 5),
        "causal": out(square, 5, is_causal=True),
        "causal, in twos": out(square, 2, is_causal=True),
        "causal, singly": out(square, 1, is_causal=True),
        "leaks": leaks,
        "large": out(large_scores(draw), 3),
        "large, at once": out(large_scores(draw), 8),
        "large and negative": out((q_large[1:], *keys_and_values), 3),
        "negative": out((q_large[1:] / 12, *keys_and_values), 3),  # from about -120 down
        "large values": large_values,
        "texts meet": texts_meet,
        "gradients": lambda: student.grad("tiled_attention", *crossed, 3, upstream=upstream).inputs[
            :3
        ],
        "many dimensions": out(many, 6),
        "float16": out(square, 2, kind=torch.float16),
        "float16, causal": out(square, 2, is_causal=True, kind=torch.float16),
        "float64": out(square, 2, kind=torch.float64),
        "meta": out(square, 2, kind="meta"),
        "meta, causal": out(square, 2, is_causal=True, kind="meta"),
        "changed": changed,
    }
