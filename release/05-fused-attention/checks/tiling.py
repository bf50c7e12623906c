"""Visible checks of 05-fused-attention: tiled_attention."""

from functools import partial
from itertools import product

import numpy as np
import torch
from torch import Tensor

from checks.apart import drawn
from checks.devices_and_gradients import expect_gradients, expect_on_meta
from checks.kit.examples import example
from checks.kit.expectation import Mismatch, exercise, expect, expect_inputs_unchanged
from checks.kit.local_student import LocalStudent
from checks.kit.pictures import Heatmap
from checks.tables import Made

_WIDE = torch.tensor([[1.0, 0.0, 0.0, 0.0]])
_QUERY = 2 * _WIDE  # 2 · score / sqrt(4) is the score
_SCORES = torch.tensor([[1.0], [2.0], [3.0], [0.0]]) * _WIDE
_VALUES = torch.tensor([[10.0], [20.0], [30.0], [40.0]])
_AVERAGE = 26.20887148  # worked out in the text
_MISTAKES = {  # what comes out of that row, in two blocks, by a slip
    40.702424: "This is o after the last block. What is left to be done with l?",
    23.025876: "What the first block left must be scaled down when 3 comes, l as well as o.",
    16.835262: "What the first block left in o was scaled down when 3 came. And in l?",
    35.846829: "What the first block left in l was scaled down when 3 came. And in o?",
    23.892468: "You averaged the blocks' averages. A block with higher scores must count more.",
    30.474259: "Only the last block counts here. What becomes of what the first one left?",
    17.310586: "The last block is missing. At which positions do the blocks start?",
    28.534007: "The scores are not divided yet. By the root of which width?",
    24.907218: "The scores are divided by too much: is it by the root of the width, and once?",
    27.364722: "The scores are divided by a root, but not by that of the keys' width.",
}

_QUERIES = torch.ones(5, 1)
_KEYS = torch.tensor([[0.0], [1.0], [2.0], [1.0], [0.0]])
_WIDE_VALUES = torch.tensor([[10.0, 0.0], [20.0, 0.0], [30.0, 0.0], [40.0, 0.0], [50.0, 10.0]])
_CAUSAL = torch.tensor(
    [
        [10.0, 0.0],
        [17.31058579, 0.0],
        [25.75210383, 0.0],
        [28.55341024, 0.0],
        [30.0, 0.67450806],
    ]
)


@example(
    "tiled_attention",
    picture=Heatmap(
        "tiled_attention(q, k, v, block_size)",
        rows=tuple(f"block_size {size}" for size in range(1, 7)),
        columns=tuple(f"query {place}" for place in range(4)),
        rows_are="the same call in blocks of",
        columns_are="output for",
    ),
)
def one_row_for_each_block_size(student: LocalStudent) -> Tensor:
    """The outputs of four queries, once for each block size: all rows should be the same."""
    q = torch.tensor([[-1.0], [0.0], [1.0], [2.0]])
    k, v = torch.tensor([[0.0], [1.0], [2.0], [-1.0], [0.0]]), torch.arange(5.0)[:, None]
    return torch.stack([student.tiled_attention(q, k, v, size)[:, 0] for size in range(1, 7)])


@exercise("tiled_attention")
def test_four_scores_in_two_blocks(student: LocalStudent) -> None:
    """The row of the text: scores 1, 2, 3, 0 and values 10, 20, 30, 40 give 26.2089."""
    found = student.tiled_attention(_QUERY, _SCORES, _VALUES, 2)
    expect(found, torch.full((1, 1), _AVERAGE), "(queries, d_v)", _row_is_special)
    expect_inputs_unchanged(student)


@exercise("tiled_attention")
def test_every_block_size(student: LocalStudent) -> None:
    """In blocks of 1, 3, 4 or 9 keys the same comes out, and no table of all keys is made."""
    for size in (1, 4, 3, 9):
        found = student.tiled_attention(_QUERY, _SCORES, _VALUES, size)
        wanted = torch.full((1, 1), _AVERAGE)
        expect(found, wanted, "(queries, d_v)", partial(_keys_are_special, size))
    queries, keys = drawn(60, 2), drawn(80, 2)
    with Made() as made:
        student.tiled_attention(queries, keys, keys, 4)
    if "scaled_dot_product_attention" in made.names:
        says = "PyTorch's own function answers here. Go through the blocks yourself."
        raise Mismatch("a call of scaled_dot_product_attention", "your own loop", says)
    if made.largest >= 60 * 80:
        says = "In blocks of 4 keys, a tensor holds all 80 keys of each query. Which step makes it?"
        raise Mismatch(f"a tensor of {made.largest} numbers", "no table of 60 by 80", says)


@exercise("tiled_attention")
def test_causal_in_blocks(student: LocalStudent) -> None:
    """With is_causal=True, query i sees keys 0 to i, in blocks of any size; without it, all."""
    for size in (5, 2, 1):
        found = student.tiled_attention(_QUERIES, _KEYS, _WIDE_VALUES, size, is_causal=True)
        expect(found, _CAUSAL, "(queries, d_v)", _causal_is_special)
    found = student.tiled_attention(_QUERIES, _KEYS, _WIDE_VALUES, 2)
    says = "Nobody asked for a causal mask in this call. Every query may see every key."
    expect(found, _CAUSAL[-1:].expand(5, 2), "(queries, d_v)", lambda _: says)


@exercise("tiled_attention")
def test_scores_of_thousands(student: LocalStudent) -> None:
    """The highest of 0, 1000, 2000 and 0 takes all; turned round, the zeros share: 30 and 25."""
    scores = torch.tensor([[0.0], [1000.0], [2000.0], [0.0]])
    found = student.tiled_attention(torch.cat([_QUERY, -_QUERY]), scores * _WIDE, _VALUES, 2)
    expect(found, torch.tensor([[30.0], [25.0]]), "(queries, d_v)", _huge_is_special)


@exercise("tiled_attention")
def test_heads_and_widths(student: LocalStudent) -> None:
    """A batch of 2 with 3 heads and 7 keys, in bfloat16; gradients come back to all three."""
    place = torch.arange(7.0)[:, None]  # key j scores j, 0 or -j, and has the value j
    towards = torch.tensor([1.0, 0.0, -1.0, 0.0, 1.0])[:, None]
    means = torch.tensor([5.42452, 3.0, 0.57548, 3.0, 5.42452])[:, None]
    rank = torch.arange(1.0, 7.0).reshape(2, 3, 1, 1)  # values differ by batch, head and feature
    q, k = (2 * towards * _WIDE).expand(2, 3, 5, 4), (place * _WIDE).expand(2, 3, 7, 4)
    v = rank * place + torch.arange(6.0)
    found = student.tiled_attention(q.bfloat16(), k.bfloat16(), v.bfloat16(), 3)
    wanted = (rank * means + torch.arange(6.0)).bfloat16()
    expect(found, wanted, "(batch, heads, queries, d_v)")
    q, k, v = drawn(6, 4), drawn(6, 4).flip(0), drawn(6, 5)
    found = student.grad("tiled_attention", q, k, v, 2, upstream=drawn(6, 5).flip(0))
    expect_gradients(found, "q", "k", "v")
    given = [one.to("meta") for one in (q, k, v)]
    for is_causal in (False, True):
        expect_on_meta(
            lambda causal=is_causal: student.tiled_attention(*given, 4, is_causal=causal), "q"
        )


def _keys_are_special(size: int, found: np.ndarray) -> str | None:
    """Says that keys are lost or counted twice where that alone makes the number that came."""
    shares, values = np.exp(_SCORES[:, 0].numpy()), _VALUES[:, 0].numpy()
    if found.size != 1:
        return None
    says = f"With block_size={size}, some keys are lost or counted twice. Where do blocks end?"
    for counts in product((0, 1, 2), repeat=len(shares)):
        times = counts * shares
        if any(counts) and abs(times @ values / times.sum() - found.item()) < 1e-3:
            return says
    return None


def _row_is_special(found: np.ndarray) -> str | None:
    if found.size == 1 and np.isnan(found).any():
        return "nan came out. What is 0 times inf, or inf - inf? Where does m start?"
    for value, says in _MISTAKES.items():
        if found.size == 1 and abs(found.item() - value) < 1e-3:
            return says
    if found.size == 1:
        return "Compare m, l and o after each block with the table of the text."
    return None


def _causal_is_special(found: np.ndarray) -> str | None:
    if found.shape != tuple(_CAUSAL.shape):
        return None
    if np.allclose(found, found[-1]):
        return "Every query sees every key. Does is_causal apply?"
    if np.isnan(found).any():
        return "nan: some query sees no key at all, or only minus infinity. Which may query 0 see?"
    if (found[:4, 1] > 1e-6).any():
        return "A query sees the last key, which lies in its future. Where does each block begin?"
    if not np.allclose(found[0], [10.0, 0.0], atol=1e-3):
        return "Query 0 may see key 0 alone, whose value is 10."
    return None


def _huge_is_special(found: np.ndarray) -> str | None:
    if len(found) == 2 and np.isfinite(found[0]).all() and not np.isfinite(found[1]).all():
        return "The second query's scores are 0 and below. Whose maximum do you take from them?"
    if not np.isfinite(found).all():
        return (
            "exp(2000) is too large for any floating-point number. From which score on is your "
            "maximum up to date?"
        )
    return None
