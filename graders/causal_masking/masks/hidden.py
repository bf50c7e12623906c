"""Hidden graders of 03-causal-masking: causal_mask, padding_mask and combine_masks."""

from functools import partial
from typing import Any

import pytest
import torch
from torch import Tensor

import graders.causal_masking.probes  # noqa: F401 - registers the probes
from autograder.checks.kit.errors import MissingName, StudentError
from autograder.judging import Wrong, assert_matches, exercise, sure_of
from autograder.judging.draw import Draw
from autograder.judging.properties import assert_inputs_unchanged
from autograder.judging.symptoms import of_shape
from autograder.tensors.devices import (
    COPIED,
    ELSEWHERE,
    ON_THE_CPU,
    VALUE_READ,
    assert_stays_on_meta,
    kind_of,
)
from autograder.tensors.fresh import made_on
from graders.causal_masking.mask_parts import (
    allowed_of,
    as_allowed,
    assert_allows,
    assert_on_the_default_device,
    assert_true_and_false,
    mixed_mask,
    padding_of_their_own,
)
from solutions.causal_masking import reference

# Lengths that are drawn here are none that the notebook and its checks show: 1, 3, 4 and 6.


@exercise("causal_mask")
@pytest.mark.points(2, "masking")
@pytest.mark.devices("cpu", "cuda")
def test_no_position_attends_to_a_later_one(student: Any, device: str, draw: Draw) -> None:
    """Row i allows no key after i, and still allows something."""
    allowed = _causal(student, draw.integer(7, 10), device)
    if not bool(allowed.any()):
        raise Wrong("Your mask allows nothing at all.")
    if bool(allowed.triu(1).any()):
        raise Wrong("Some row allows a key that comes later than its query.")


@exercise("causal_mask")
@pytest.mark.points(2, "masking")
def test_every_position_attends_to_all_before_it(student: Any, draw: Draw) -> None:
    """Row i allows all keys before i, and not every key."""
    size = draw.integer(7, 9)
    allowed = _causal(student, size)
    if bool(allowed.all()):
        raise Wrong("Your mask allows everything.")
    if not bool(allowed.tril(-1).sum() == size * (size - 1) // 2):
        raise Wrong("Some row forbids a key that comes earlier than its query.")


@exercise("causal_mask")
@pytest.mark.points(1, "masking")
def test_every_position_attends_to_itself(student: Any, draw: Draw) -> None:
    """Row i allows key i, and not every key."""
    allowed = _causal(student, draw.integer(8, 11))
    if bool(allowed.all()):
        raise Wrong("Your mask allows everything.")
    if not bool(allowed.diagonal().all()):
        raise Wrong("Some position may not attend to itself.")


@exercise("causal_mask")
@pytest.mark.points(1, "generality")
def test_the_mask_is_made_for_any_length(student: Any, draw: Draw) -> None:
    """The mask is right for any length, for a single position and for hundreds too."""
    for size in (1, draw.integer(11, 19)):
        assert_matches(as_allowed(student.causal_mask(size), 2), reference.causal_mask(size))
    size = draw.integer(530, 590)
    with sure_of("wrong-when-long"):
        assert_matches(as_allowed(student.causal_mask(size), 2), reference.causal_mask(size))


@exercise("causal_mask")
@pytest.mark.points(1, "form")
def test_the_mask_holds_true_and_false(student: Any, draw: Draw) -> None:
    """The mask has two axes and dtype bool, and both True and False in it."""
    size = draw.integer(7, 10)
    assert_true_and_false(student.causal_mask(size), reference.causal_mask(size))


@exercise("causal_mask")
@pytest.mark.points(1, "generality")
def test_the_device_asked_for_is_obeyed(student: Any, draw: Draw) -> None:
    """`device` is obeyed: the mask is made there."""
    size = draw.integer(5, 9)
    student.causal_mask(size)  # a mask kept from this call is on another device
    for device in ("meta", torch.device("meta")):
        try:
            mask = student.causal_mask(size, device=device)
        except MissingName:
            raise
        except StudentError as error:
            if kind_of(error) == VALUE_READ:  # which runs on every real device
                continue
            if kind_of(error) in ELSEWHERE:
                raise Wrong(ON_THE_CPU) from None
            raise
        if not isinstance(mask, Tensor) or not mask.is_meta:
            raise Wrong("Your mask is not on the device that was asked for.")
    mask = student.causal_mask(size)
    if not isinstance(mask, Tensor) or mask.is_meta:
        raise Wrong("Your mask is on a device that an earlier call asked for.")


@exercise("causal_mask")
@pytest.mark.points(0.5, "generality")
def test_without_a_device_the_mask_is_on_the_default_device(student: Any, draw: Draw) -> None:
    """Where no device is named, the mask is made on torch's default device, whichever it is."""
    # A length of its own, so that no mask is kept of it.
    assert_on_the_default_device(student, "causal_mask", draw.integer(23, 29))


def _causal(student: Any, size: int, device: str = "cpu") -> Tensor:
    """What the student's mask of this length allows."""
    mask = (
        student.causal_mask(size) if device == "cpu" else student.causal_mask(size, device=device)
    )
    return allowed_of(mask, reference.causal_mask(size, device))


@exercise("padding_mask")
@pytest.mark.points(3, "masking")
@pytest.mark.devices("cpu", "cuda")
def test_the_first_positions_of_each_row_are_real(student: Any, device: str, draw: Draw) -> None:
    """Row b allows the first lengths[b] positions, and no later one."""
    # The first shape comes again, whose new values show a result that was kept; then as many
    # sequences as positions, where a wrong axis raises no error.
    for batch, max_len in ((3, 8), (2, 11), (3, 8), (5, 5), (7, 7)):
        lengths = _lengths(draw, batch, max_len - 1).to(device)
        wanted = reference.padding_mask(lengths, max_len)
        assert_allows(student.padding_mask(lengths, max_len), wanted)


@exercise("padding_mask")
@pytest.mark.points(1, "generality")
def test_a_sequence_may_be_full_or_empty(student: Any, draw: Draw) -> None:
    """A sequence as long as max_len has no padding, and an empty one has nothing else."""
    max_len = draw.integer(6, 9)
    lengths = torch.tensor([max_len, 0, 2, max_len - 1])
    wanted = reference.padding_mask(lengths, max_len)
    assert_allows(student.padding_mask(lengths, max_len), wanted)


@exercise("padding_mask")
@pytest.mark.points(1, "generality")
def test_there_are_max_len_columns(student: Any, draw: Draw) -> None:
    """Padding goes on for max_len columns, even where no sequence is nearly as long."""
    lengths, others = _lengths(draw, 4, 7), _lengths(draw, 4, 7)
    assert_allows(student.padding_mask(lengths, 12), reference.padding_mask(lengths, 12))
    with sure_of("positions-in-few-bits"):
        assert_allows(student.padding_mask(others, 301), reference.padding_mask(others, 301))


@exercise("padding_mask")
@pytest.mark.points(0.5, "generality")
def test_longer_sequences_count_as_max_len(student: Any, draw: Draw) -> None:
    """A length above max_len allows all max_len positions."""
    lengths = torch.tensor([draw.integer(7, 9), 3, 20])
    assert_allows(student.padding_mask(lengths, 6), reference.padding_mask(lengths, 6))
    if student.changed_inputs:
        text = "Your code changes a tensor or array that it was given."
        raise Wrong(text, "lengths-changed")


@exercise("padding_mask")
@pytest.mark.points(1, "generality")
def test_lengths_may_be_a_list(student: Any, draw: Draw) -> None:
    """The lengths may be a list, which stays as it was, or a tensor of any whole numbers."""
    lengths = _lengths(draw, 4, 8)
    small = lengths.to(torch.uint8)
    # Positions of 301 are more than uint8 can count.
    for max_len, several in ((9, (lengths.int(), small, lengths.tolist())), (301, (small,))):
        allowed = _padded(student, lengths, max_len)
        if allowed.any() == allowed.all():
            raise Wrong("Your mask is the same everywhere.")
        for given in several:
            if not torch.equal(_padded(student, given, max_len), allowed):
                raise Wrong("The same lengths make another mask as a list, or in another dtype.")
    _padded(student, [draw.integer(7, 9), 3, 20], 6)  # which who cuts them to 6 changes
    if student.changed_inputs:
        raise Wrong("Your code changes a list that it was given.")


@exercise("padding_mask")
@pytest.mark.points(1, "form")
def test_the_padding_mask_holds_true_and_false(student: Any, draw: Draw) -> None:
    """The mask has two axes and dtype bool, and both values in it; the lengths are left alone."""
    for lengths in (_lengths(draw, 3, 6), torch.tensor([draw.integer(2, 5)])):
        mask = student.padding_mask(lengths, 7)
        assert_inputs_unchanged(student, mask)
        assert_true_and_false(mask, reference.padding_mask(lengths, 7))


@exercise("padding_mask")
@pytest.mark.points(1, "generality")
def test_the_padding_mask_is_where_the_lengths_are(student: Any, draw: Draw) -> None:
    """The mask is made on the device of the lengths."""
    lengths = _lengths(draw, 4, 8)

    def mask(max_len: int, device: str) -> object:
        return student.padding_mask(lengths.to(device), max_len)

    reads = _reads_lengths(student, lengths.to("meta"))
    try:
        assert_stays_on_meta(partial(mask, 9), partial(mask, 4), reading=True)
    except Wrong:
        if not reads:  # which runs on every real device, as in a list
            raise
    if reads and _follows_the_default(student, lengths):
        raise Wrong("Your mask is on torch's default device, wherever the lengths are.")


@exercise("padding_mask")
@pytest.mark.points(0.25, "generality")
def test_the_padding_mask_of_a_list_is_on_the_default_device(student: Any, draw: Draw) -> None:
    """Where the lengths are a list, the mask is made on torch's default device."""
    assert_on_the_default_device(student, "padding_mask", _lengths(draw, 3, 8).tolist(), 10)


def _padded(student: Any, lengths: Any, max_len: int) -> Tensor:
    """What the student's mask allows, whatever shape it has."""
    allowed = as_allowed(student.padding_mask(lengths, max_len), 2)
    if not isinstance(allowed, Tensor) or not allowed.is_cpu:
        assert_matches(allowed, torch.ones(len(lengths), max_len, dtype=torch.bool), "your mask")
    assert isinstance(allowed, Tensor)
    return allowed


def _reads_lengths(student: Any, lengths: Tensor) -> bool:
    """Whether code turns lengths into Python's own numbers, of which meta tensors have none."""
    try:
        student.padding_mask(lengths, 9)
    except StudentError as error:
        return kind_of(error) in (COPIED, VALUE_READ)
    return False


def _follows_the_default(student: Any, lengths: Tensor) -> bool:
    """Whether the mask of lengths on the CPU is made on another device that is the default one.

    Who moves it to the lengths is right, and stops here, since nothing can be moved off meta. So
    does who calls `torch.as_tensor`, which moves lengths there, and reads them.
    """
    try:
        return bool(made_on(student, "padding_mask", "meta", lengths, 9) == "meta")
    except MissingName:
        raise
    except StudentError:
        return False


def _lengths(draw: Draw, batch: int, longest: int) -> Tensor:
    """Lengths from 1 on: a large one, a small one, and any others."""
    half = longest // 2
    large, small = draw.integer(half + 1, longest), draw.integer(1, half)
    return torch.tensor([large, small, *(draw.integer(1, longest) for _ in range(batch - 2))])


@exercise("combine_masks")
@pytest.mark.points(3, "masking")
def test_a_key_is_allowed_where_both_masks_allow_it(student: Any, draw: Draw) -> None:
    """Entry (b, 0, i, j) is True where the causal mask and the padding both allow key j."""
    # As in padding_mask: one shape twice, and as many sequences as positions.
    for batch, seq in ((2, 7), (3, 5), (2, 7), (6, 6)):
        causal, padding = reference.causal_mask(seq), mixed_mask(draw, batch, seq)
        wanted = reference.combine_masks(causal, padding)
        assert_matches(_combined(student, causal, padding), wanted, "your mask")


@exercise("combine_masks")
@pytest.mark.points(1.5, "masking")
def test_padding_is_hidden_as_a_key_alone(student: Any, draw: Draw) -> None:
    """Nobody attends to padding, and a padding token's own row still allows what is real."""
    seq = draw.integer(7, 9)
    padding = padding_of_their_own(draw, 3, seq)  # no row is empty: the first key is real
    allowed = _combined(student, reference.causal_mask(seq), padding)[:, 0]
    if bool(allowed.any(1)[~padding].any()):
        raise Wrong("Some query may attend to padding.")
    if not bool(allowed[:, :, 0].any()):
        raise Wrong("Your mask hides real keys from everybody.")
    if not bool(allowed[:, :, 0].all()):
        raise Wrong(
            "Some queries may not attend to the first key, which is real and not after them."
        )


@exercise("combine_masks")
@pytest.mark.points(1, "masking")
def test_the_first_mask_is_obeyed_whatever_it_allows(student: Any, draw: Draw) -> None:
    """The first mask may allow less than a causal one, or something else altogether."""
    padding = mixed_mask(draw, 2, 6)
    padding[0] = torch.tensor([True, True, False, False, True, True])  # a window may be empty
    for first in (reference.sliding_window_mask(6, 2), mixed_mask(draw, 6, 6)):
        wanted = reference.combine_masks(first, padding)
        assert_matches(_combined(student, first, padding), wanted, "your mask")


@exercise("combine_masks")
@pytest.mark.points(1.5, "form")
def test_there_is_one_mask_a_sequence_and_one_for_all_heads(student: Any, draw: Draw) -> None:
    """The mask is boolean, of shape (batch, 1, seq_len, seq_len); both masks are left alone."""
    nothing_padded = ((3, 6), (2, 1))
    paddings = [mixed_mask(draw, *shape) for shape in ((4, 7), (1, 5))]
    for padding in (*paddings, *(torch.ones(shape, dtype=torch.bool) for shape in nothing_padded)):
        batch, seq = padding.shape
        mask = student.combine_masks(reference.causal_mask(seq), padding)
        assert_inputs_unchanged(student, mask)
        if mask.shape != (batch, 1, seq, seq):
            words = of_shape(tuple(mask.shape), (batch, 1, seq, seq))
            raise Wrong(f"Your mask has the wrong shape: {words}.")
        if not isinstance(mask, Tensor) or mask.dtype is not torch.bool:
            raise Wrong("Your mask is no tensor of True and False.")


@exercise("combine_masks")
@pytest.mark.points(0.5, "generality")
def test_the_combination_is_where_the_masks_are(student: Any, draw: Draw) -> None:
    """The mask is made on the device of the two masks, with no detour through NumPy or lists."""

    def mask(batch: int, device: str) -> object:
        causal, padding = reference.causal_mask(5), mixed_mask(draw, batch, 5)
        return student.combine_masks(causal.to(device), padding.to(device))

    assert_stays_on_meta(partial(mask, 2), partial(mask, 5), reading=True)


def _combined(student: Any, causal: Tensor, padding: Tensor) -> Tensor:
    """What the student's combination allows; a missing axis for the heads has a test of its own."""
    wanted = reference.combine_masks(causal, padding)
    mask = student.combine_masks(causal, padding)
    if isinstance(mask, Tensor) and mask.shape == wanted[:, 0].shape:
        mask = mask.unsqueeze(1)
    return allowed_of(mask, wanted)
