"""Hidden graders of 03-causal-masking: causal_mask_for_cache and sliding_window_mask."""

from functools import partial
from typing import Any

import pytest
import torch

import graders.causal_masking.probes  # noqa: F401 - registers the probes
from autograder.judging import Wrong, exercise, sure_of
from autograder.judging.draw import Draw
from graders.causal_masking.mask_parts import (
    allowed_of,
    assert_allows,
    assert_on_the_default_device,
    assert_refused,
    assert_true_and_false,
)
from solutions.causal_masking import reference


@exercise("causal_mask_for_cache")
@pytest.mark.points(3, "masking")
def test_queries_are_the_last_of_the_positions(student: Any, draw: Draw) -> None:
    """Query i stands at position i + num_keys - num_queries, and allows keys up to there."""
    for queries, keys in ((2, 9), (5, draw.integer(11, 17)), (7, 8)):
        wanted = reference.causal_mask_for_cache(queries, keys)
        assert_allows(student.causal_mask_for_cache(queries, keys), wanted)
    long = draw.integer(520, 560)
    with sure_of("table-too-short"):
        wanted = reference.causal_mask_for_cache(3, long)
        assert_allows(student.causal_mask_for_cache(3, long), wanted)


@exercise("causal_mask_for_cache")
@pytest.mark.points(1, "masking")
def test_the_last_query_sees_every_key(student: Any, draw: Draw) -> None:
    """The last row allows every key, and the rows before it do not."""
    queries, keys = draw.integer(3, 5), draw.integer(9, 13)
    wanted = reference.causal_mask_for_cache(queries, keys)
    allowed = allowed_of(student.causal_mask_for_cache(queries, keys), wanted)
    if not bool(allowed[-1].all()):
        raise Wrong("The last query does not see every key.")
    if bool(allowed[:-1].all(1).any()):
        raise Wrong("A query before the last one sees every key.")


@exercise("causal_mask_for_cache")
@pytest.mark.points(1, "masking")
def test_new_positions_do_not_see_each_others_future(student: Any, draw: Draw) -> None:
    """A new position sees no position that comes later, and the whole cache."""
    queries, keys = draw.integer(3, 6), draw.integer(10, 15)
    wanted = reference.causal_mask_for_cache(queries, keys)
    allowed = allowed_of(student.causal_mask_for_cache(queries, keys), wanted)
    if bool((allowed & ~wanted).any()):
        raise Wrong("Some query sees a key that stands at a later position.")
    if not bool(allowed[:, : keys - queries].all()):
        raise Wrong("Some query does not see all of the cache.")


@exercise("causal_mask_for_cache")
@pytest.mark.points(1, "masking")
def test_without_a_cache_the_mask_is_the_causal_one(student: Any, draw: Draw) -> None:
    """With as many queries as keys, row i allows keys 0 to i."""
    for size in (1, draw.integer(5, 9)):
        mask = student.causal_mask_for_cache(size, size)
        assert_allows(mask, reference.causal_mask(size))


@exercise("causal_mask_for_cache")
@pytest.mark.points(0.5, "masking")
def test_a_single_new_position_sees_everything(student: Any, draw: Draw) -> None:
    """One query gives one row, and it allows every key."""
    keys = draw.integer(6, 12)
    mask = student.causal_mask_for_cache(1, keys)
    assert_allows(mask, torch.ones(1, keys, dtype=torch.bool))


@exercise("causal_mask_for_cache")
@pytest.mark.points(1, "errors")
def test_more_queries_than_keys_are_refused(student: Any, draw: Draw) -> None:
    """More queries than keys raise ValueError; its text names both numbers."""
    for numbers in ((draw.integer(21, 29), 17), (8, 7)):
        assert_refused(partial(student.causal_mask_for_cache, *numbers), numbers)


@exercise("causal_mask_for_cache")
@pytest.mark.points(0.5, "form")
def test_the_mask_for_a_cache_holds_true_and_false(student: Any, draw: Draw) -> None:
    """The mask has two axes and dtype bool, and both True and False in it."""
    # A cache of two, behind which a mask that is shifted the other way is not the same everywhere.
    keys = draw.integer(7, 10)
    wanted = reference.causal_mask_for_cache(keys - 2, keys)
    assert_true_and_false(student.causal_mask_for_cache(keys - 2, keys), wanted)


@exercise("causal_mask_for_cache")
@pytest.mark.points(0.25, "generality")
def test_the_mask_for_a_cache_is_on_the_default_device(student: Any, draw: Draw) -> None:
    """The mask is made on torch's default device, whichever it is."""
    keys = draw.integer(23, 29)  # a number of its own, so that no mask is kept of it
    assert_on_the_default_device(student, "causal_mask_for_cache", 3, keys)


@exercise("sliding_window_mask")
@pytest.mark.points(3, "masking")
def test_row_i_allows_the_last_window_positions(student: Any, draw: Draw) -> None:
    """Row i allows keys i - window + 1 to i, as far as there are such."""
    for seq, window in ((8, 3), (11, 5), (draw.integer(14, 19), 2), (draw.integer(270, 300), 7)):
        wanted = reference.sliding_window_mask(seq, window)
        assert_allows(student.sliding_window_mask(seq, window), wanted)


@exercise("sliding_window_mask")
@pytest.mark.points(1, "masking")
def test_no_window_reaches_into_the_future(student: Any, draw: Draw) -> None:
    """Row i allows key i and none after it."""
    seq = draw.integer(8, 12)
    wanted = reference.sliding_window_mask(seq, 4)
    allowed = allowed_of(student.sliding_window_mask(seq, 4), wanted)
    if bool(allowed.triu(1).any()):
        raise Wrong("Some row allows a key that comes later than its query.")
    if not bool(allowed.diagonal().all()):
        raise Wrong("Some position may not attend to itself.")


@exercise("sliding_window_mask")
@pytest.mark.points(1, "masking")
def test_no_row_allows_more_keys_than_the_window(student: Any, draw: Draw) -> None:
    """No row allows more than `window` keys, and the last row allows just as many."""
    seq, window = draw.integer(9, 13), draw.integer(3, 5)
    wanted = reference.sliding_window_mask(seq, window)
    allowed = allowed_of(student.sliding_window_mask(seq, window), wanted).sum(1)
    if bool((allowed > window).any()):
        raise Wrong("Some row allows more keys than the window has.")
    if int(allowed[-1]) != window:
        raise Wrong("The last row allows fewer keys than the window has.")


@exercise("sliding_window_mask")
@pytest.mark.points(1, "generality")
def test_the_smallest_and_the_largest_window(student: Any, draw: Draw) -> None:
    """A window of 1 allows each position itself; one as long as the text hides no past."""
    seq = draw.integer(6, 9)
    for window in (1, seq, seq + 5):
        wanted = reference.sliding_window_mask(seq, window)
        assert_allows(student.sliding_window_mask(seq, window), wanted)


@exercise("sliding_window_mask")
@pytest.mark.points(0.5, "form")
def test_the_window_holds_true_and_false(student: Any, draw: Draw) -> None:
    """The mask has two axes and dtype bool, and both True and False in it."""
    for seq, window in ((draw.integer(7, 10), 3), (draw.integer(5, 8), 1), (1, 2)):
        wanted = reference.sliding_window_mask(seq, window)
        assert_true_and_false(student.sliding_window_mask(seq, window), wanted)


@exercise("sliding_window_mask")
@pytest.mark.points(0.25, "generality")
def test_the_window_is_on_the_default_device(student: Any, draw: Draw) -> None:
    """The mask is made on torch's default device, whichever it is."""
    seq = draw.integer(23, 29)  # a length of its own, so that no mask is kept of it
    assert_on_the_default_device(student, "sliding_window_mask", seq, 4)
