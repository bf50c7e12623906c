"""Visible checks of 04-multi-head-attention; those of the module have a file of their own.

For splitting and merging, every input number names its place: 10 t + f is feature f of token t, so
that a number in the wrong place tells where it came from.
"""

import numpy as np
import torch
from torch import Tensor

from checks import multi_head_module
from checks.apart import drawn
from checks.devices_and_gradients import expect_gradients, expect_on_meta
from checks.drawn_masks import allowed
from checks.head_pictures import Blocks
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

_TOKENS = torch.tensor(  # (batch 1, seq 4, d_model 6)
    [[[10.0 * token + feature for feature in range(6)] for token in range(4)]]
)
_HEADS = torch.tensor(  # the same numbers: (batch 1, heads 2, seq 4, d_head 3)
    [[[[10.0 * t + f for f in block] for t in range(4)] for block in ((0, 1, 2), (3, 4, 5))]]
)


_CAUSAL = allowed("x... xx.. xxx. xxxx")


@example("split_heads", picture=Blocks("split_heads(x, num_heads=2)"))
def features_split_over_two_heads(student: LocalStudent) -> Tensor:
    """Four tokens of six features, split over two heads."""
    heads: Tensor = student.split_heads(_TOKENS.clone(), 2)
    return heads


@example("merge_heads", picture=Blocks("merge_heads(heads)"))
def features_merged_from_two_heads(student: LocalStudent) -> Tensor:
    """Four tokens of six features, merged from two heads."""
    merged: Tensor = student.merge_heads(_HEADS.clone())
    return merged


@example(
    "to_torch_mask",
    picture=Heatmap(
        "to_torch_mask(causal mask): 1 forbids",
        rows=tuple(f"query {place}" for place in range(4)),
        columns=tuple(f"key {place}" for place in range(4)),
        rows_are="queries",
        columns_are="keys",
    ),
)
def causal_mask_for_pytorchs_module(student: LocalStudent) -> Tensor:
    """The causal mask of four positions, in the convention of PyTorch's module."""
    turned: Tensor = student.to_torch_mask(_CAUSAL.clone())
    return turned


@exercise("split_heads")
def test_every_feature_stays_with_its_token(student: LocalStudent) -> None:
    """Head 0 holds features 0 to 2 of every token, head 1 features 3 to 5."""
    found = student.split_heads(_TOKENS.clone(), 2)
    expect(found, _HEADS, "(batch, heads, seq, d_head)", _split_is_special)
    expect_inputs_unchanged(student)


@exercise("split_heads")
def test_a_batch_of_two(student: LocalStudent) -> None:
    """The sequences of a batch stay apart, however they lie in memory, and a dtype stays."""
    positions_first = torch.stack([_TOKENS[0], _TOKENS[0] + 100], dim=1).double()
    found = student.split_heads(positions_first.transpose(0, 1), 3)
    blocks = [_TOKENS[0, :, start : start + 2] for start in (0, 2, 4)]
    first = torch.stack(blocks).double()
    expect(found, torch.stack([first, first + 100]), "(batch, heads, seq, d_head)")


@exercise("split_heads")
def test_other_numbers_of_heads_and_tokens(student: LocalStudent) -> None:
    """One head, a head a feature, as many heads as tokens, and a single token."""
    axes = "(batch, heads, seq, d_head)"
    expect(student.split_heads(_TOKENS.clone(), 1), _TOKENS[:, None], axes)
    each = torch.stack([_TOKENS[:, :, feature : feature + 1] for feature in range(6)], dim=1)
    expect(student.split_heads(_TOKENS.clone(), 6), each, axes)
    for tokens in (2, 1):
        expect(student.split_heads(_TOKENS[:, :tokens].clone(), 2), _HEADS[:, :, :tokens], axes)


@exercise("split_heads")
def test_heads_that_do_not_fit_are_refused(student: LocalStudent) -> None:
    """Six features cannot be shared by 4 heads, nor by 0: a ValueError names 6 and the heads."""
    expect_value_error(lambda: student.split_heads(_TOKENS, 4), numbers=(6, 4))
    expect_value_error(lambda: student.split_heads(_TOKENS, 0), numbers=(6, 0))


@exercise("split_heads")
def test_features_can_learn(student: LocalStudent) -> None:
    """A gradient reaches every feature, and the heads are made where the tokens are."""
    found = student.grad("split_heads", _TOKENS, 2, upstream=drawn(1, 2, 4, 3).float())
    expect_gradients(found, "x")
    expect_on_meta(lambda: student.split_heads(_TOKENS.to("meta"), 2), "x")


@exercise("merge_heads")
def test_the_heads_lie_side_by_side(student: LocalStudent) -> None:
    """Every token gets its features back, 0 to 5 in order."""
    found = student.merge_heads(_HEADS.clone())
    expect(found, _TOKENS, "(batch, seq, d_model)", _merge_is_special)
    expect_inputs_unchanged(student)


@exercise("merge_heads")
def test_a_batch_of_three_heads(student: LocalStudent) -> None:
    """Two sequences, three heads, one feature a head, in bfloat16."""
    heads = torch.tensor([[[[1, 2]], [[3, 4]], [[5, 6]]], [[[7, 8]], [[9, 10]], [[11, 12]]]])
    wanted = torch.tensor([[[1, 3, 5], [2, 4, 6]], [[7, 9, 11], [8, 10, 12]]])
    found = student.merge_heads(heads.mT.to(torch.bfloat16))
    expect(found, wanted.to(torch.bfloat16), "(batch, seq, d_model)", _merge_is_special)


@exercise("merge_heads")
def test_large_numbers_and_few_tokens(student: LocalStudent) -> None:
    """As many heads as tokens, and a single token; numbers of thousands stay what they are."""
    for tokens in (2, 1):
        found = student.merge_heads(1000 * _HEADS[:, :, :tokens])
        expect(found, 1000 * _TOKENS[:, :tokens], "(batch, seq, d_model)")


@exercise("merge_heads")
def test_slices_can_learn(student: LocalStudent) -> None:
    """A gradient reaches every slice, and the result is made where the heads are."""
    found = student.grad("merge_heads", _HEADS, upstream=drawn(1, 4, 6).float())
    expect_gradients(found, "x")
    expect_on_meta(lambda: student.merge_heads(_HEADS.to("meta")), "x")


@exercise("to_torch_mask")
def test_a_causal_mask_is_turned_round(student: LocalStudent) -> None:
    """The causal mask allows on and below the diagonal; PyTorch's forbids above it."""
    found = student.to_torch_mask(_CAUSAL.clone())
    expect(found, ~_CAUSAL, "(queries, keys)", _turned_is_special)
    expect_inputs_unchanged(student)


@exercise("to_torch_mask")
def test_a_padding_mask_keeps_its_shape(student: LocalStudent) -> None:
    """Of two sequences, the first ends after two tokens: its last two are forbidden."""
    mask = torch.tensor([[True, True, False, False], [True, True, True, True]])
    wanted = torch.tensor([[False, False, True, True], [False, False, False, False]])
    expect(student.to_torch_mask(mask), wanted, "(batch, keys)", _turned_is_special)
    four_axes = student.to_torch_mask(mask[:, None, None])
    expect(four_axes, wanted[:, None, None], "(batch, 1, 1, keys)")
    whole = student.to_torch_mask(mask[1:])
    expect(whole, wanted[1:], "(batch, keys)", lambda _: "This one allows all, and forbids none.")


@exercise("to_torch_mask")
def test_the_mask_stays_where_it_is(student: LocalStudent) -> None:
    """The result is made on the device of the mask."""
    expect_on_meta(lambda: student.to_torch_mask(_CAUSAL.to("meta")), "mask")


def _split_is_special(found: np.ndarray) -> str | None:
    tokens, heads = _TOKENS.numpy(), _HEADS.numpy()
    if same(found, heads.swapaxes(1, 2)):
        return "Each slice is right, but positions come before heads. Which of them comes first?"
    if same(found, tokens.reshape(1, 2, 4, 3)):
        return (
            "The shape is right, but tokens were torn apart: row 0 of head 0 is followed by more "
            "of token 0. Which numbers are neighbours in memory at the moment when you cut?"
        )
    if same(found, tokens.reshape(1, 4, 3, 2).transpose(0, 3, 1, 2)):
        return "Your head 0 takes every second feature. A head owns features that are neighbours."
    return None


def _merge_is_special(found: np.ndarray) -> str | None:
    tokens, heads = _TOKENS.numpy(), _HEADS.numpy()
    if same(found, heads.reshape(1, 4, 6)):
        return (
            "The shape is right, but one row holds features of two tokens. Which two axes must "
            "stand next to each other before you flatten them?"
        )
    if same(found, tokens.reshape(1, 4, 2, 3).swapaxes(2, 3).reshape(1, 4, 6)):
        return "The heads' features alternate. Each head's block must stay in one piece."
    return None


def _turned_is_special(found: np.ndarray) -> str | None:
    if found.ndim == 2 and found.dtype != bool:
        return "PyTorch adds a mask of numbers to the scores. A boolean mask is wanted."
    if same(found, _CAUSAL):
        return "The mask came back as it was. What does True mean for each of the two?"
    if same(found, _CAUSAL.mT):
        return "Queries and keys have changed places, and True still means allowed."
    return None
