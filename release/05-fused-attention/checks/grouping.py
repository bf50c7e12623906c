"""Visible checks of 05-fused-attention: grouped_query_attention."""

import numpy as np
import torch
from torch import Tensor

from checks.apart import drawn
from checks.devices_and_gradients import expect_gradients, expect_on_meta
from checks.kit.examples import example
from checks.kit.expectation import (
    exercise,
    expect,
    expect_inputs_unchanged,
    expect_value_error,
    same,
)
from checks.kit.local_student import LocalStudent
from checks.kit.pictures import Heatmap

# Queries of zeros weigh all keys alike, so that an output is the mean of the values it may see.
_QUERIES = torch.zeros(1, 4, 3, 2)  # (batch, heads, queries, d_k)
_KEYS = torch.ones(1, 2, 3, 2)
_VALUES = torch.tensor([10.0, 20.0])[:, None, None].expand(1, 2, 3, 1).clone()
_FORM = "(batch, heads, queries, d_v)"


@example(
    "grouped_query_attention",
    picture=Heatmap(
        "whose values each query head gets",
        rows=tuple(f"query head {head}" for head in range(6)),
        columns=tuple(f"key head {head}" for head in range(3)),
        rows_are="output of",
        columns_are="share of values from",
    ),
)
def shares_of_key_heads(student: LocalStudent) -> Tensor:
    """Six query heads, three key heads; the value of key head j is 1 in feature j, 0 elsewhere."""
    values = torch.eye(3)[None, :, None, :]
    found = student.grouped_query_attention(torch.zeros(1, 6, 1, 2), torch.ones(1, 3, 1, 2), values)
    shares: Tensor = found[0, :, 0]
    return shares


@exercise("grouped_query_attention")
def test_each_key_head_serves_a_block(student: LocalStudent) -> None:
    """Of 4 query heads, 0 and 1 get the value 10 of key head 0, 2 and 3 the 20 of key head 1."""
    found = student.grouped_query_attention(_QUERIES, _KEYS, _VALUES)
    wanted = torch.tensor([10.0, 10.0, 20.0, 20.0])[None, :, None, None].expand(1, 4, 3, 1)
    expect(found, wanted, _FORM, _block_is_special)
    expect_inputs_unchanged(student)


@exercise("grouped_query_attention")
def test_each_query_meets_its_own_keys(student: LocalStudent) -> None:
    """Key head 0 scores 0 and 1, key head 1 scores 1 and 0: two heads get 0.7311, two 0.2689."""
    q = torch.tensor([2.0, 0.0, 0.0, 0.0]).expand(1, 4, 1, 4)  # 2 · score / sqrt(4) is the score
    scores = torch.tensor([[0.0, 1.0], [1.0, 0.0]])[None, :, :, None]
    k = torch.cat([scores, torch.zeros(1, 2, 2, 3)], dim=-1)
    v = torch.tensor([0.0, 1.0])[:, None].expand(1, 2, 2, 1)
    wanted = torch.tensor([0.73105858, 0.73105858, 0.26894142, 0.26894142])[None, :, None, None]
    expect(student.grouped_query_attention(q, k, v), wanted, _FORM, _own_is_special)


@exercise("grouped_query_attention")
def test_one_for_all_and_one_for_each(student: LocalStudent) -> None:
    """One key head serves all query heads, in bfloat16 too; as many as there are serve one each."""
    given = (part.bfloat16() for part in (_QUERIES, _KEYS[:, :1], _VALUES[:, :1]))
    found = student.grouped_query_attention(*given)
    expect(found, torch.full((1, 4, 3, 1), 10.0).bfloat16(), _FORM)
    q = torch.tensor([2.0, -2.0])[:, None, None] * torch.tensor([1.0, 0.0, 0.0, 0.0])
    k = torch.tensor([[0.0] * 4, [1.0, 0.0, 0.0, 0.0]])[None, None]  # head 0 asks for key 1
    found = student.grouped_query_attention(q[None], k, torch.tensor([[0.0], [1.0]])[None, None])
    expect(found, torch.tensor([0.73105858, 0.26894142])[None, :, None, None], _FORM)
    found = student.grouped_query_attention(_QUERIES[:, :2], _KEYS, _VALUES)
    expect(found, _VALUES, _FORM, _block_is_special)


@exercise("grouped_query_attention")
def test_causal_in_every_head(student: LocalStudent) -> None:
    """With is_causal=True, query i gets the mean of the values 0 to i; gradients come back."""
    values = torch.tensor([0.0, 600.0, 1200.0])[:, None].expand(1, 2, 3, 1).clone()
    found = student.grouped_query_attention(_QUERIES, _KEYS, values, is_causal=True)
    wanted = torch.tensor([0.0, 300.0, 600.0])[:, None].expand(1, 4, 3, 1)
    expect(found, wanted, _FORM, _causal_is_special)
    q, k, v = drawn(4, 3, 6), drawn(2, 3, 6), drawn(2, 3, 5)
    found = student.grad("grouped_query_attention", q, k, v, upstream=drawn(4, 3, 5))
    expect_gradients(found, "q", "k", "v")
    given = [one.to("meta") for one in (q, k, v)]
    for is_causal in (False, True):
        expect_on_meta(
            lambda causal=is_causal: student.grouped_query_attention(*given, is_causal=causal), "q"
        )


@exercise("grouped_query_attention")
def test_key_heads_that_do_not_divide_are_refused(student: LocalStudent) -> None:
    """Six query heads cannot share 4 key heads evenly: a ValueError names 6 and 4."""
    q, k = torch.ones(1, 6, 3, 2), torch.ones(1, 4, 3, 2)
    expect_value_error(lambda: student.grouped_query_attention(q, k, k), numbers=(6, 4))


def _block_is_special(found: np.ndarray) -> str | None:
    if found.ndim == 4 and found.shape[1] == 2 and found.shape[0] == 1:
        return "There are as many output heads as key heads. Every query head has an output."
    in_turn = np.array([10.0, 20.0, 10.0, 20.0]).reshape(1, 4, 1, 1)
    if same(found, np.broadcast_to(in_turn, (1, 4, 3, 1))):
        return "The key heads are dealt out in turn. Each should serve a block of neighbours."
    if same(found, np.full((1, 4, 3, 1), 15.0)):
        return "All query heads get the mean of both key heads. Each has one key head of its own."
    if same(found, np.full((1, 4, 3, 1), 10.0)):
        return "All query heads get key head 0. Which heads does key head 1 serve?"
    return None


def _own_is_special(found: np.ndarray) -> str | None:
    share = found.reshape(-1)[0] if found.shape == (1, 4, 1, 1) else 0.0
    if abs(share - 0.88079708) < 1e-3:
        return "The scores are not divided by the root of the keys' width."
    if abs(share - 0.73105858) < 1e-3 and same(found[:, ::2], np.full((1, 2, 1, 1), share)):
        return "The keys are dealt out in turn. Each key head should serve a block of neighbours."
    return None


def _causal_is_special(found: np.ndarray) -> str | None:
    if same(found, np.full((1, 4, 3, 1), 600.0)):
        return "Every query sees every key. Does is_causal apply?"
    return None
