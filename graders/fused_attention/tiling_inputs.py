"""Inputs for tiled_attention, and how much memory a long row of them takes."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import torch
from torch import Tensor

from autograder.checks.kit.errors import StudentError
from autograder.judging import Wrong
from autograder.judging.draw import Draw
from autograder.judging.tolerance import agree
from graders.laws import output_like
from graders.modules import form, in_dtype

BLOCK = 4
# Twice as long as for the module, whose wrong answers may have raised the same process's peak by
# then: three of its tables are less than one of these.
LONG, LONG_BLOCK = 4096, 32
LONG_TABLE = LONG * LONG * 4
# A student's process gives large tensors back once they are freed, so it grows by what it held at
# once: 0.03 to 0.13 tables in right answers that go on from block to block, 0.9 in one that keeps
# every block's output and joins them at the end, at most 0.03 more when causal. Attention written
# out grew by 2, a causal table of NumPy's by 3. A mask for the whole table takes 0.26 as booleans:
# that shows in what ran, not here.
MOST_PLAIN, MOST_CAUSAL = 1.2 * LONG_TABLE, 1.0 * LONG_TABLE


def inputs(
    draw: Draw,
    lead: tuple[int, ...],
    queries: int,
    keys: int,
    d_k: int,
    d_v: int,
    dtype: torch.dtype,
    device: str = "cpu",
) -> tuple[Tensor, Tensor, Tensor]:
    """Queries, keys and values after the same leading dimensions."""
    return (
        draw.normal(*lead, queries, d_k, dtype=dtype, device=device),
        draw.normal(*lead, keys, d_k, dtype=dtype, device=device),
        draw.normal(*lead, keys, d_v, dtype=dtype, device=device),
    )


def large_scores(draw: Draw) -> tuple[Tensor, Tensor, Tensor]:
    """Eight keys: one query's scores rise by thousands, the other's fall by as much from -1,400."""
    rising = torch.arange(1.0, 9.0)[:, None] * 700 + draw.normal(8, 1)
    k = rising.expand(8, 4).clone()
    q = torch.tensor([[1.0], [-1.0]]).expand(2, 4).clone()
    return q, k, draw.normal(8, 3)


def loud_future(draw: Draw, now: int, keys: int = 7) -> tuple[Tensor, Tensor, Tensor]:
    """Keys in float64: scores near -45,000 before `now`, and near 45,000 from there on.

    In eighths, so that whoever computes in float32 has the same scores.
    """
    q, k = ((8 * draw.normal(keys, 4, dtype=torch.float64)).round() / 8 for _ in "qk")
    q[:, 0], k[:, 0] = 300.0, torch.where(torch.arange(keys) < now, -300.0, 300.0)
    return q, k, draw.normal(keys, 3, dtype=torch.float64)


def assert_past_apart(
    attend: Callable[[Tensor, Tensor, Tensor], object], q: Tensor, k: Tensor, v: Tensor, now: int
) -> None:
    """Refuse attention in which values of a loud future reach what comes out before `now`.

    Whether that is right has tests of its own, and so has NaN.
    """
    other = v.clone()
    other[..., now:, :] *= -1
    found = (in_dtype(attend(q, k, values), v.dtype) for values in (v, other))
    one, two = (output_like(each, v)[..., :now, :] for each in found)
    if not bool((one + two).isnan().any()) and not agree(one, two):
        text = "Where its score is large, a key of the future is attended to."
        raise Wrong(text, "fill-too-soft")


def front_taken(student: Any, draw: Draw) -> tuple[int, ...]:
    """Leading dimensions that the student's function takes: how many it takes costs elsewhere.

    Four dimensions first, where PyTorch's own attention shows as itself; those as well where it
    takes none.
    """
    fronts: tuple[tuple[int, ...], ...] = ((1, 1), (1,), ())
    for front in fronts:
        q, k, v = inputs(draw, front, 3, 3, 2, 2, torch.float32)
        try:
            found = student.tiled_attention(q, k, v, BLOCK)
        except StudentError:
            continue
        if form(found) == form(v):
            return front
    return fronts[0]


@dataclass(frozen=True)
class Growth:
    """Bytes by which a student's process grows over calls with LONG queries and keys.

    Attributes:
        plain: over first calls.
        causal: over one more, with is_causal.
    """

    plain: int
    causal: int


def growth_over_a_long_row(student: Any, draw: Draw) -> Growth:
    """How much memory the student's function takes on a long row in small blocks.

    Raises:
        Wrong: what comes out is not one vector a query.
    """
    q, k, v = inputs(draw, front_taken(student, draw), LONG, LONG, 8, 8, torch.float32)
    short = [tensor[..., :BLOCK, :] for tensor in (q, k, v)]
    student.tiled_attention(*short, BLOCK)
    peaks = [student.peak_bytes()]
    for is_causal in (False, True):
        result = student.tiled_attention(q, k, v, LONG_BLOCK, is_causal=is_causal)
        peaks.append(student.peak_bytes())
        if form(result) != form(q):
            raise Wrong("On a long row, your function does not give one vector a query.")
    before, plain, causal = peaks
    return Growth(plain - before, causal - plain)
