"""How to observe an answer to triton_attention for a diagnosis."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor

from autograder.checks.kit.errors import StudentError
from autograder.judging import probe
from autograder.judging.draw import Draw
from autograder.judging.properties import same_bits
from autograder.judging.registry import Observations
from graders.fused_attention.tiling_inputs import inputs
from graders.fused_attention.triton_attention.triton_inputs import (
    SEVERAL_BLOCKS,
    WIDTHS,
    rising_scores,
    sums_beyond_half,
)
from graders.modules import LOUD_VALUES, follows_values, form


@probe(
    "triton_attention",
    numerics=("large values",),
    refusal=(
        "refusal of keys",
        "refusal of values",
    ),
)
def observe_triton_attention(student: Any) -> Observations:
    """Outputs for fixed inputs of several lengths, causal or not, and what bad shapes raise."""
    draw = Draw(b"probe", "triton_attention")

    def drawn(
        queries: int, keys: int, d_k: int, d_v: int, lead: tuple[int, ...] = ()
    ) -> tuple[Tensor, Tensor, Tensor]:
        return inputs(draw, lead, queries, keys, d_k, d_v, torch.float32)

    def out(
        given: tuple[Tensor, ...], is_causal: bool = False, kind: Any = None
    ) -> Callable[[], object]:
        def look() -> object:
            result = student.triton_attention(
                *(tensor.clone().to(kind) for tensor in given), is_causal=is_causal
            )
            return result if kind is None else form(result)

        return look

    heads, square = drawn(5, 7, 6, 3, lead=(2, 3)), drawn(40, 40, 5, 6)
    long = drawn(4, SEVERAL_BLOCKS, 5, 3)
    turned = tuple(one.transpose(0, 1) for one in drawn(2, 2, 5, 3, lead=(6,)))
    rising = rising_scores(draw)
    wide, odd = drawn(5, 7, 6, 4, lead=(2,)), [drawn(5, 9, *widths) for widths in WIDTHS]

    def leaks() -> object:
        q, k, v = square
        other = v.clone()
        other[18:] = 1e30
        results = [student.triton_attention(q, k, each, is_causal=True) for each in (v, other)]
        return torch.equal(*(result[:18] for result in results))

    def large_values() -> object:
        q, k, v = (tensor[0, 0] for tensor in heads)
        found, loud = (student.triton_attention(q, k, each) for each in (v, LOUD_VALUES * v))
        return follows_values(found, loud)

    def texts_meet() -> object:
        x, _, changed = inputs(Draw(b"probe", "texts"), (2,), 5, 5, 6, 6, torch.float32)
        changed[1:] = x[1:]
        before, after = (student.triton_attention(rows, rows, rows) for rows in (x, changed))
        return not same_bits(before[1:], after[1:])

    def changed(dtype: torch.dtype | None = None) -> object:
        student.triton_attention(*(tensor.clone().to(dtype) for tensor in square))
        return tuple(map(str, student.changed_inputs))

    def refusal(q: Tensor, k: Tensor, v: Tensor, *numbers: int) -> Callable[[], object]:
        def look() -> object:
            try:
                student.triton_attention(q, k, v)
            except StudentError as error:
                return error.type_name, all(str(number) in error.message for number in numbers)
            return "accepted"

        return look

    q, k, v = wide
    return {
        "one head": out(tuple(tensor[0, 0] for tensor in heads)),
        "two leading dimensions of one": out(tuple(tensor[:1, :1] for tensor in heads)),
        "several blocks of keys": out(long),
        "as many queries as keys": out(square),
        "several blocks of queries": out(drawn(70, 5, 6, 3)),
        "one key": out(drawn(3, 1, 6, 3)),
        "causal": out(square, is_causal=True),
        "causal, several blocks": out(drawn(70, 70, 5, 6), is_causal=True),
        "leaks": leaks,
        "large": out(tuple(tensor[:1] if tensor is rising[0] else tensor for tensor in rising)),
        "large, falling": out((rising[0][1:], *rising[1:])),
        "large values": large_values,
        "texts meet": texts_meet,
        "transposed": out(turned),
        "widths": out(odd[0]),
        "a wide value": out(odd[2]),
        "heads": out(heads),
        "sums in float16": out(sums_beyond_half(draw)),
        "float16": out(square, kind=torch.float16),
        "changed": changed,
        "changed, float16": lambda: changed(torch.float16),
        "refusal of keys": refusal(q, draw.normal(2, 7, 9), v, 6, 9),
        "refusal of values": refusal(q, k, v[:, :3], 7, 3),
    }
