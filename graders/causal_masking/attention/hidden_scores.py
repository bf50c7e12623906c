"""Hidden graders of 03-causal-masking: additive_mask and masked_softmax."""

from functools import partial
from typing import Any

import pytest
import torch
from torch import Tensor

import graders.causal_masking.probes  # noqa: F401 - registers the probes
from autograder.judging import Wrong, assert_matches, exercise, expected
from autograder.judging.draw import Draw
from autograder.judging.properties import (
    assert_agree,
    assert_leaves_inputs,
    assert_varied,
    same_bits,
)
from autograder.tensors.devices import assert_stays_on_meta
from autograder.tensors.gradients import assert_gradients_match
from graders.causal_masking.mask_parts import mixed_mask
from graders.laws import (
    Lead,
    assert_alike_in_front,
    assert_keeps_double,
    assert_mask_broadcasts,
)
from graders.modules import in_dtype
from solutions.causal_masking import reference

HALVES = (torch.bfloat16, torch.float16)


@exercise("additive_mask")
@pytest.mark.points(2, "masking")
@pytest.mark.every_lead
def test_adding_it_leaves_allowed_scores_as_they_are(student: Any, draw: Draw, lead: Lead) -> None:
    """The mask is exactly 0 where attention is allowed, and below 0 where it is not."""
    for positions in (5, 6, 5):
        mask = mixed_mask(draw, *lead, positions, positions)
        bias = student.additive_mask(mask, torch.float32)
        assert_varied(bias, torch.empty(mask.shape))
        if bool((bias[mask] != 0).any()):
            raise Wrong("Your mask changes scores that are allowed.")
        if not bool((bias[~mask] < 0).all()):
            raise Wrong("Your mask does not lower scores that are forbidden.")


@exercise("additive_mask")
@pytest.mark.points(2.5, "masking")
def test_forbidden_entries_are_minus_infinity(student: Any, draw: Draw, lead: Lead) -> None:
    """Forbidden entries are exactly minus infinity, and allowed ones are not, in every dtype."""
    for dtype in (torch.float32, torch.float64, *HALVES):
        mask = mixed_mask(draw, *lead, 6, 6)
        bias = student.additive_mask(mask, dtype)
        assert_varied(bias, torch.empty(mask.shape))
        if not torch.equal(bias == -torch.inf, ~mask):
            assert_matches(bias.double(), reference.additive_mask(mask, torch.float64), "your mask")


@exercise("additive_mask")
@pytest.mark.points(1.5, "numerics")
def test_the_dtype_asked_for_is_obeyed(student: Any, draw: Draw, lead: Lead) -> None:
    """The mask comes in float16, bfloat16 and float64 when these are asked for."""
    mask = mixed_mask(draw, *lead, 7, 7)
    for dtype in (torch.float16, torch.bfloat16, torch.float64):
        bias = student.additive_mask(mask, dtype)
        if not isinstance(bias, Tensor) or bias.dtype != dtype:
            assert_matches(bias, reference.additive_mask(mask, dtype), "your mask")


@exercise("additive_mask")
@pytest.mark.points(1.5, "generality")
def test_any_shape_is_kept(student: Any, draw: Draw) -> None:
    """A mask of any shape gives a result of that shape which forbids the same, even nothing."""
    open_row = torch.ones(6, dtype=torch.bool)
    some = (mixed_mask(draw, *shape) for shape in ((8,), (5, 7), (2, 3, 4), (2, 1, 3, 1, 5)))
    for mask in (*some, open_row, ~open_row, open_row[0]):
        bias = student.additive_mask(mask, torch.float32)
        wanted = reference.additive_mask(mask, torch.float32)
        ordered = isinstance(bias, Tensor) and bias.is_cpu and not bias.is_complex()
        if not ordered or not torch.equal(bias < 0, wanted < 0):
            assert_matches(bias, wanted, "your mask")


@exercise("additive_mask")
@pytest.mark.points(0.5, "generality")
@pytest.mark.every_lead
def test_the_boolean_mask_is_left_as_it_was(student: Any, draw: Draw, lead: Lead) -> None:
    """The mask that is passed in still says the same afterwards."""
    given = (mixed_mask(draw, *lead, *shape) for shape in ((5, 4), (3, 4), (6, 6)))
    answer = student.additive_mask
    assert_leaves_inputs(student, *(partial(answer, mask, torch.float32) for mask in given))


@exercise("additive_mask")
@pytest.mark.points(0.5, "generality")
@pytest.mark.every_lead
def test_the_additive_mask_is_where_the_mask_is(student: Any, draw: Draw, lead: Lead) -> None:
    """The result is made on the device of the mask, with no detour through NumPy or lists."""
    mask = mixed_mask(draw, *lead, 6, 6)

    def bias(keys: int, dtype: torch.dtype, device: str) -> object:
        return student.additive_mask(mask[..., :keys].to(device), dtype)

    calls = [partial(bias, n, dtype) for n in (5, 6) for dtype in (torch.float16, torch.float32)]
    assert_stays_on_meta(*calls, reading=True)


@exercise("masked_softmax")
@pytest.mark.points(3, "masking")
def test_allowed_keys_share_out_one_whole(student: Any, draw: Draw, lead: Lead) -> None:
    """Each row is softmax over its allowed scores."""
    for shape in ((5, 7), (6, 4), (5, 5), (5, 7)):
        scores, mask = draw.normal(*lead, *shape), mixed_mask(draw, *lead, *shape)
        scores[..., 0, :] = 0  # a score of 0 is a score like any other
        _assert_right(student, scores, mask)


@exercise("masked_softmax")
@pytest.mark.points(2, "generality")
def test_any_number_of_dimensions_may_stand_in_front(student: Any, draw: Draw) -> None:
    """There may be any number of dimensions before the queries, and each table stands alone."""
    assert_alike_in_front(
        student.masked_softmax,
        reference.masked_softmax,
        lambda lead: (draw.normal(*lead, 5, 7), mixed_mask(draw, *lead, 5, 7)),
    )


@exercise("masked_softmax")
@pytest.mark.points(1.5, "masking")
def test_forbidden_scores_have_no_effect_at_all(student: Any, draw: Draw, lead: Lead) -> None:
    """Forbidden weights are exactly 0, and no change of a forbidden score moves a bit."""
    scores, mask = draw.normal(*lead, 4, 9), mixed_mask(draw, *lead, 4, 9)
    wild = draw.normal(*lead, 4, 9)
    weights = _weights(student, scores, mask)
    for forbidden in (1e30 * wild, torch.finfo(wild.dtype).max * wild.sign()):
        again = _weights(student, torch.where(mask, scores, forbidden), mask)
        if bool((weights[~mask] != 0).any()) or bool((again[~mask] != 0).any()):
            raise Wrong("Some forbidden weight is not exactly 0.")
        if not same_bits(weights, again):
            raise Wrong("A change of forbidden scores changes the weights.")


@exercise("masked_softmax")
@pytest.mark.points(2, "masking")
def test_a_query_with_nothing_allowed_gets_zeros(student: Any, draw: Draw, lead: Lead) -> None:
    """A row where nothing is allowed gives zeros, and the rows beside it are as they should be."""
    for mask in (_with_dead_row(draw, *lead, 5, 6), _with_dead_row(draw, *lead, 1, 6)):
        scores = draw.normal(*lead, 5, 6)
        weights = student.masked_softmax(scores, mask)
        assert_matches(weights, expected(reference.masked_softmax, scores, mask))
        if bool((weights[(~mask.any(-1)).expand(scores.shape[:-1])] != 0).any()):
            raise Wrong("A row where nothing is allowed is not exactly 0.")


@exercise("masked_softmax")
@pytest.mark.points(1.5, "gradient")
def test_no_nan_in_the_gradient(student: Any, draw: Draw, lead: Lead) -> None:
    """The scores get the right gradient: 0 where attention is forbidden, and never NaN."""
    for mask in (_with_dead_row(draw, *lead, 6, 4), mixed_mask(draw, *lead, 6, 4)):
        scores, upstream = (draw.normal(*lead, 6, 4) for _ in range(2))
        found = student.grad("masked_softmax", scores, mask, upstream=upstream)
        assert_gradients_match(found, reference.masked_softmax, scores, mask, upstream=upstream)
        gradient = found.inputs[0]
        if gradient is None or bool((gradient[~mask] != 0).any()):
            raise Wrong("A forbidden score still gets a gradient.")


@exercise("masked_softmax")
@pytest.mark.points(1.5, "generality")
def test_the_mask_broadcasts_to_the_scores(student: Any, draw: Draw, lead: Lead) -> None:
    """The mask may leave out leading axes, or have length one there or for the queries."""
    ones = (1,) * len(lead)
    scores = draw.normal(*lead, 5, 7)
    for shape in ((7,), (5, 7), (*lead[1:], 1, 7), (*ones, 5, 7), (*lead, 1, 7)):
        weigh = partial(student.masked_softmax, scores)
        assert_mask_broadcasts(weigh, mixed_mask(draw, *shape), (*lead, 5, 7), scores)


@exercise("masked_softmax")
@pytest.mark.points(1, "numerics")
def test_half_precision_is_masked_too(student: Any, draw: Draw, lead: Lead) -> None:
    """In bfloat16 and float16 the weights are rightly masked, and they keep every dtype."""
    for dtype in HALVES:
        _assert_right(student, draw.normal(*lead, 5, 7, dtype=dtype), mixed_mask(draw, 5, 7))
    scores = draw.normal(*lead, 5, 7, dtype=torch.float64)
    assert_keeps_double(student.masked_softmax(scores, mixed_mask(draw, 5, 7)))


@exercise("masked_softmax")
@pytest.mark.points(0.5, "values")
def test_one_number_added_to_all_scores_of_a_query_changes_nothing(
    student: Any, draw: Draw, lead: Lead
) -> None:
    """Adding one number to all scores of a query leaves its weights as they were."""
    scores, mask = (64 * draw.normal(*lead, 5, 8)).round() / 64, mixed_mask(draw, 5, 8)
    by = torch.tensor([60, -60, draw.integer(20, 40), -draw.integer(20, 40), 7])[:, None]
    more = scores + by  # both exact in float32
    one, other = _weights(student, scores, mask), _weights(student, more, mask)
    assert_agree(one, other, "Adding one number to all scores of a query changes its weights.")


@exercise("masked_softmax")
@pytest.mark.points(0.5, "values")
def test_keys_that_change_places_take_their_weights_along(
    student: Any, draw: Draw, lead: Lead
) -> None:
    """When keys change places in scores and mask, each key's weight goes with it."""
    scores, mask = draw.normal(*lead, 5, 8), mixed_mask(draw, 5, 8)
    one, other = _weights(student, scores, mask), _weights(student, scores.flip(-1), mask.flip(-1))
    symptom = "A key's weight depends on where among the keys it stands."
    assert_agree(one.flip(-1), other, symptom)


@exercise("masked_softmax")
@pytest.mark.points(0.5, "numerics")
def test_large_scores_give_finite_masked_weights(student: Any, draw: Draw, lead: Lead) -> None:
    """Scores of ten thousand, and rows far apart from each other, give the right finite weights."""
    # Few digits, so that float32 could hold them too.
    scores, mask = (64 * draw.normal(*lead, 6, 5)).double().round() / 64, mixed_mask(draw, 6, 5)
    scores[..., :3, :] *= 1e4
    scores[..., 3:, :] += torch.tensor([[1000.0], [-30_000.0], [0.0]])
    mask[0, :3], mask[1, :2] = torch.tensor([False, True, True]), torch.tensor([True, False])
    scores[..., 0, 0] = 60_000  # forbidden, and far above what is allowed
    found = in_dtype(student.masked_softmax(scores, mask), scores.dtype)
    assert_matches(found, expected(reference.masked_softmax, scores, mask))


@exercise("masked_softmax")
@pytest.mark.points(0.5, "generality")
@pytest.mark.every_lead
def test_scores_and_mask_are_left_as_they_were(student: Any, draw: Draw, lead: Lead) -> None:
    """The scores and the mask that are passed in still hold the same values afterwards."""
    shapes = ((4, 9), (*lead, 5, 7), (*lead, 6, 6))
    given = ((draw.normal(*lead, *shape[-2:]), mixed_mask(draw, *shape)) for shape in shapes)
    assert_leaves_inputs(student, *(partial(student.masked_softmax, *two) for two in given))


@exercise("masked_softmax")
@pytest.mark.points(0.5, "generality")
@pytest.mark.every_lead
def test_masked_weights_stay_on_the_device_of_the_scores(
    student: Any, draw: Draw, lead: Lead
) -> None:
    """The weights are made on the device of the scores, with no detour through the CPU or NumPy."""

    def weights(shape: tuple[int, ...], device: str) -> object:
        scores, mask = draw.normal(*lead, *shape[-2:]), mixed_mask(draw, *shape)
        return student.masked_softmax(scores.to(device), mask.to(device))

    calls = [partial(weights, shape) for shape in ((*lead, 5, 7), (*lead, 6, 6), (6, 6))]
    assert_stays_on_meta(*calls, reading=True)


def _weights(student: Any, scores: Tensor, mask: Tensor) -> Tensor:
    """The student's weights, after a check of their form."""
    weights: Tensor = student.masked_softmax(scores, mask)
    assert_varied(weights, scores)
    return weights


def _with_dead_row(draw: Draw, *shape: int) -> Tensor:
    """A mask at random, in which nothing is allowed to some query, and something to the others."""
    mask = mixed_mask(draw, *shape)
    mask[(0,) * (mask.ndim - 1)] = False
    return mask


def _assert_right(student: Any, scores: Tensor, mask: Tensor) -> None:
    wanted = expected(reference.masked_softmax, scores, mask)
    assert_matches(student.masked_softmax(scores, mask), wanted)
