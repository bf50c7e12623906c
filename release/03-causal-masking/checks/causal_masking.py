"""Visible checks of 03-causal-masking: the masks, True where attention is allowed."""

import numpy as np
import torch
from torch import Tensor

from checks.devices_and_gradients import NO_NUMBERS_TO_READ, expect_on_meta
from checks.drawn_masks import allowed
from checks.kit.errors import StudentError
from checks.kit.examples import example
from checks.kit.expectation import (
    Mismatch,
    exercise,
    expect,
    expect_inputs_unchanged,
    expect_value_error,
    same,
)
from checks.kit.local_student import LocalStudent
from checks.mask_pictures import AllowedGrid

_TOKENS = ("The", "cat", "sat", "on", "the", "mat")


@example("causal_mask", picture=AllowedGrid("causal_mask(6)", rows=_TOKENS, columns=_TOKENS))
def mask_of_six_tokens(student: LocalStudent) -> Tensor:
    """The mask of a sentence of six tokens."""
    mask: Tensor = student.causal_mask(6)
    return mask


@exercise("causal_mask")
def test_three_positions(student: LocalStudent) -> None:
    """Three positions: row 0 allows key 0, row 1 keys 0 and 1, row 2 all three."""
    wanted = torch.tensor([[True, False, False], [True, True, False], [True, True, True]])
    expect(student.causal_mask(3), wanted, "(queries, keys)", _what_is_special)


@exercise("causal_mask")
def test_one_position(student: LocalStudent) -> None:
    """A single position may attend to itself."""
    wanted = torch.tensor([[True]])
    expect(student.causal_mask(1), wanted, "(queries, keys)", _what_is_special)


@exercise("causal_mask")
def test_the_mask_is_made_on_the_device_asked_for(student: LocalStudent) -> None:
    """The mask is made on the device that the caller names."""
    try:
        mask = student.causal_mask(4, device="meta")
    except StudentError as error:
        if not any(text in error.message for text in NO_NUMBERS_TO_READ):
            raise
        # A line that looks at the mask's numbers is no fault, only impossible without memory.
        wanted = allowed("x... xx.. xxx. xxxx")
        return expect(student.causal_mask(4, device="cpu"), wanted, "(queries, keys)")
    if not isinstance(mask, Tensor) or mask.device.type != "meta":
        where = str(mask.device) if isinstance(mask, Tensor) else "no tensor"
        raise Mismatch(
            where,
            "a tensor on device meta",
            'The argument `device` has no effect yet. ("meta" is a device without memory: '
            "whoever respects it respects a graphics card too.)",
        )


@example(
    "padding_mask",
    picture=AllowedGrid(
        "padding_mask([2, 4, 5], 6)",
        rows=("sequence 0", "sequence 1", "sequence 2"),
        columns=("0", "1", "2", "3", "4", "5"),
        rows_are="sequences of the batch",
        columns_are="positions",
    ),
)
def mask_of_three_sequences(student: LocalStudent) -> Tensor:
    """Which of six positions hold real tokens in sequences of 2, 4 and 5."""
    mask: Tensor = student.padding_mask([2, 4, 5], 6)
    return mask


@exercise("padding_mask")
def test_two_sequences(student: LocalStudent) -> None:
    """Sequences of 2 and 4 tokens, padded to 4 positions."""
    wanted = torch.tensor([[True, True, False, False], [True, True, True, True]])
    mask = student.padding_mask(torch.tensor([2, 4]), 4)
    expect(mask, wanted, "(batch, max_len)", _padding_is_special)
    expect_inputs_unchanged(student)


@exercise("padding_mask")
def test_lengths_as_a_list(student: LocalStudent) -> None:
    """A list of lengths works as well, then another; there are as many sequences as positions."""
    axes = "(batch, max_len)"
    wanted = allowed("x... .... xxx. xxxx")
    expect(student.padding_mask([1, 0, 3, 4], 4), wanted, axes, _padding_is_special)
    wanted = allowed("xx.. xxxx x... ....")
    expect(student.padding_mask([2, 4, 1, 0], 4), wanted, axes, _padding_is_special)


@exercise("padding_mask")
def test_long_sequences(student: LocalStudent) -> None:
    """Of 300 positions, a sequence of 200 tokens fills the first 200."""
    wanted = torch.tensor([[True] * 200 + [False] * 100, [True] * 7 + [False] * 293])
    expect(student.padding_mask([200, 7], 300), wanted, "(batch, max_len)", _numbers_are_special)


@exercise("padding_mask")
def test_the_mask_is_where_the_lengths_are(student: LocalStudent) -> None:
    """The mask is made on the device of the lengths."""
    lengths = torch.empty(3, dtype=torch.long, device="meta")
    expect_on_meta(lambda: student.padding_mask(lengths, 5), "lengths", copying=True)


@example(
    "combine_masks",
    picture=AllowedGrid(
        "combine_masks(causal, padding), 4 of 6 real", rows=_TOKENS, columns=_TOKENS
    ),
)
def combination_for_one_sequence(student: LocalStudent) -> Tensor:
    """Whom six positions may attend to when the last two are padding."""
    causal = allowed("x..... xx.... xxx... xxxx.. xxxxx. xxxxxx")
    mask: Tensor = student.combine_masks(causal, torch.tensor([[True] * 4 + [False] * 2]))
    return mask


@exercise("combine_masks")
def test_one_real_token_of_three(student: LocalStudent) -> None:
    """Two sequences of 1 and 3 real tokens: key 0 alone is real in the first."""
    causal = allowed("x.. xx. xxx")
    padding = torch.tensor([[True, False, False], [True, True, True]])
    first = torch.tensor([[True, False, False]] * 3)
    wanted = torch.stack([first, causal])[:, None]
    mask = student.combine_masks(causal, padding)
    expect(mask, wanted, "(batch, 1, queries, keys)", _combination_is_special)
    expect_inputs_unchanged(student)


@exercise("combine_masks")
def test_padding_at_the_start(student: LocalStudent) -> None:
    """Padding may stand at the start: then the first rows allow nothing at all."""
    causal = allowed("x.. xx. xxx")
    wanted = torch.tensor([[False] * 3, [False, True, False], [False, True, True]])[None, None]
    mask = student.combine_masks(causal, torch.tensor([[False, True, True]]))
    expect(mask, wanted, "(batch, 1, queries, keys)", _combination_is_special)
    expect_inputs_unchanged(student)


@exercise("combine_masks")
def test_nothing_to_hide(student: LocalStudent) -> None:
    """Without padding, every sequence has the causal mask; of a single position, too."""
    axes, causal = "(batch, 1, queries, keys)", allowed("x.. xx. xxx")
    mask = student.combine_masks(causal, torch.ones(2, 3, dtype=torch.bool))
    expect(mask, torch.stack([causal, causal])[:, None], axes)
    mask = student.combine_masks(allowed("x"), torch.tensor([[True], [False]]))
    expect(mask, torch.tensor([True, False]).reshape(2, 1, 1, 1), axes)


@exercise("combine_masks")
def test_the_shape_for_five_sequences(student: LocalStudent) -> None:
    """Five sequences of five tokens: one mask a sequence, and one for all heads."""
    causal = allowed("x.... xx... xxx.. xxxx. xxxxx")
    padding = allowed("xxx.. .xxxx xxxxx x.x.. ..xxx")
    wanted = torch.stack([causal & row for row in padding])[:, None]
    mask = student.combine_masks(causal, padding)
    expect(mask, wanted, "(batch, 1, queries, keys)", _combination_is_special)


@exercise("combine_masks")
def test_the_combined_mask_is_made_beside_the_masks(student: LocalStudent) -> None:
    """The mask is made on the device of the two masks."""
    causal, padding = (torch.ones(rows, 5, dtype=torch.bool, device="meta") for rows in (5, 2))
    expect_on_meta(lambda: student.combine_masks(causal, padding), "causal")


@example(
    "causal_mask_for_cache",
    picture=AllowedGrid(
        "causal_mask_for_cache(2, 6): 4 tokens in the cache, 2 new",
        rows=_TOKENS[4:],
        columns=_TOKENS,
    ),
)
def mask_behind_a_cache(student: LocalStudent) -> Tensor:
    """Whom the last two of six tokens may attend to."""
    mask: Tensor = student.causal_mask_for_cache(2, 6)
    return mask


@exercise("causal_mask_for_cache")
def test_two_new_tokens(student: LocalStudent) -> None:
    """Three tokens in the cache and two new ones: the last query sees all five keys."""
    wanted = torch.tensor([[True] * 4 + [False], [True] * 5])
    expect(student.causal_mask_for_cache(2, 5), wanted, "(queries, keys)", _shift_is_special)


@exercise("causal_mask_for_cache")
def test_behind_a_long_text(student: LocalStudent) -> None:
    """Two new tokens behind 698: only the last key is hidden, and only from the first of them."""
    wanted = torch.tensor([[True] * 699 + [False], [True] * 700])
    expect(student.causal_mask_for_cache(2, 700), wanted, "(queries, keys)")


@exercise("causal_mask_for_cache")
def test_an_empty_cache(student: LocalStudent) -> None:
    """Without a cache, all is as in causal_mask."""
    wanted = allowed("x.. xx. xxx")
    expect(student.causal_mask_for_cache(3, 3), wanted, "(queries, keys)", _what_is_special)


@exercise("causal_mask_for_cache")
def test_too_many_queries(student: LocalStudent) -> None:
    """Five queries cannot be the last of three positions."""
    expect_value_error(lambda: student.causal_mask_for_cache(5, 3), (5, 3))


@example(
    "sliding_window_mask",
    picture=AllowedGrid("sliding_window_mask(6, 3)", rows=_TOKENS, columns=_TOKENS),
)
def window_of_three(student: LocalStudent) -> Tensor:
    """Six tokens, of which each sees three at most."""
    mask: Tensor = student.sliding_window_mask(6, 3)
    return mask


@exercise("sliding_window_mask")
def test_a_window_of_two(student: LocalStudent) -> None:
    """With a window of 2, each position sees itself and the one before it."""
    wanted = allowed("x... xx.. .xx. ..xx")
    expect(student.sliding_window_mask(4, 2), wanted, "(queries, keys)", _window_is_special)


@exercise("sliding_window_mask")
def test_a_wide_window(student: LocalStudent) -> None:
    """With a window of 8 in a text of 9, only the last position no longer sees the first."""
    wanted = allowed(
        "x........ xx....... xxx...... xxxx..... xxxxx.... xxxxxx... xxxxxxx.. xxxxxxxx. .xxxxxxxx"
    )
    expect(student.sliding_window_mask(9, 8), wanted, "(queries, keys)", _window_is_special)


@exercise("sliding_window_mask")
def test_a_window_that_holds_everything(student: LocalStudent) -> None:
    """A window longer than the text hides none of the past."""
    wanted = allowed("x.. xx. xxx")
    expect(student.sliding_window_mask(3, 8), wanted, "(queries, keys)", _window_is_special)


def _what_is_special(mask: np.ndarray) -> str | None:
    if mask.ndim != 2 or mask.shape[0] != mask.shape[1]:
        return None
    positions = np.arange(len(mask))
    row, column = positions[:, None], positions[None, :]
    if not np.isin(mask, (0, 1)).all():
        return (
            "This looks like numbers to add to the scores. Here a mask is boolean: True where "
            "attention is allowed."
        )
    if mask.dtype != bool:
        return _numbers_are_special(mask)
    if len(mask) > 1 and same(mask, column > row):
        return "Your mask says who is forbidden. In this course True means: attention is allowed."
    if len(mask) > 1 and same(mask, column >= row):
        return "Your mask lets a position see what comes after it. Which axis lists the queries?"
    if same(mask, column < row):
        return "In your mask no position sees itself. Row 0 would have nothing to attend to."
    if same(mask, column <= row + 1):
        return "Your mask lets every position see one step into the future."
    return None


def _padding_is_special(mask: np.ndarray) -> str | None:
    if mask.ndim == 2 and mask.dtype == bool and len(mask) == 2 and mask.shape[1] == 4:
        if same(mask, ~np.array([[True, True, False, False], [True] * 4])):
            return "Your mask is True on the padding. Here True means: a real token stands here."
        if not mask[1, 3]:
            return "The second sequence fills all its positions, the last one included."
        if mask[0, 2]:
            return "Positions count from 0: is position 2 part of a sequence of 2 tokens?"
    if mask.ndim > 2:
        return "One row a sequence is enough: the axes for heads and queries come later."
    return _numbers_are_special(mask)


def _combination_is_special(mask: np.ndarray) -> str | None:
    if mask.ndim == 3:
        return (
            "One axis is missing: scores have an axis for the heads, between batch and queries. "
            "Where broadcasting finds fewer axes, it adds them in front."
        )
    if mask.ndim == 4 and mask.shape[0] == 2:
        if mask[0, 0].any() and not mask[0, 0, 1:].any():
            return "Your padding empties rows. Is it queries or keys that padding takes away?"
        if mask[0, 0, :, 1:].any():
            return "In the first sequence someone still attends to padding, in column 1 or 2."
    if mask.shape == (1, 1, 3, 3) and mask[..., 0].any():
        return "The first token is padding, yet somebody attends to it: look at column 0."
    return _numbers_are_special(mask)


def _shift_is_special(mask: np.ndarray) -> str | None:
    if mask.shape == (2, 5):
        if same(mask, np.tri(2, 5)):
            return (
                "Your first query sees key 0 alone, as if it stood at position 0. How many tokens "
                "stand before it, in the cache?"
            )
        if mask.all():
            return "Your first new token sees the second, which comes after it."
        if not mask[-1].all():
            return "The last query should see every key, itself included."
    return _numbers_are_special(mask)


def _window_is_special(mask: np.ndarray) -> str | None:
    if mask.ndim == 2 and np.triu(mask, 1).any():
        return "Your mask lets a position see what comes after it: a window reaches back only."
    if mask.shape == (4, 4) and not np.diagonal(mask).all():
        return "Some position does not see itself. The query counts as one of its window."
    if mask.shape == (4, 4) and mask[-1].sum() != 2:
        return f"With a window of 2, the last row allows {mask[-1].sum():g} keys. Which should go?"
    return _numbers_are_special(mask)


def _numbers_are_special(mask: np.ndarray) -> str | None:
    if mask.dtype != bool and np.isin(mask, (0, 1)).all():
        return "0s and 1s say the right kind of thing, but a mask here is boolean: True and False."
    return None
