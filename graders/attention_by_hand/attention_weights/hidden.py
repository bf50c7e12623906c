"""Hidden graders of 01-attention-by-hand: attention_weights."""

from functools import partial
from typing import Any

import pytest
import torch
from torch import Tensor

import graders.attention_by_hand.probes  # noqa: F401 - registers the probes
from autograder.judging import Wrong, assert_matches, exercise, expected
from autograder.judging.draw import Draw
from autograder.judging.properties import (
    assert_agree,
    assert_leaves_inputs,
    assert_varied,
    same_bits,
)
from autograder.judging.registry import keep_own
from autograder.tensors.devices import assert_stays_on_meta
from autograder.tensors.gradients import assert_gradients_match
from graders.attention_by_hand.steps import steps
from graders.laws import Lead, assert_alike_in_front, assert_alike_in_memory, assert_keeps_double
from graders.modules import in_dtype
from solutions.attention_by_hand import reference

keep_own("attention_weights", "softmax", because="it gives the same shares, in NumPy")


@exercise("attention_weights")
@pytest.mark.points(3, "values")
def test_rows_are_softmax_over_the_keys(student: Any, draw: Draw, lead: Lead) -> None:
    """Each row is softmax of that query's scores."""
    # The first shape once more, with new values that show a result that was kept; axes of 1 stay.
    for shape in ((5, 7), (6, 4), (5, 5), (5, 7), (1, 6)):
        _assert_right(student, draw.normal(*lead, *shape))
    rows = torch.from_numpy(steps(draw)).float()
    _assert_right(student, rows.expand(*lead, *rows.shape).clone())


@exercise("attention_weights")
@pytest.mark.points(1, "values")
def test_each_query_shares_out_a_total_of_one(student: Any, draw: Draw, lead: Lead) -> None:
    """The weights of every query are positive and sum to one over the keys."""
    scores = draw.normal(*lead, 4, 9)
    weights = student.attention_weights(scores)
    assert_varied(weights, scores)
    if bool((weights < 0).any()):
        raise Wrong("Some of the weights are negative.")
    if bool(((weights.sum(-1) - 1).abs() > 1e-4).any()) or bool(weights.isnan().any()):
        assert_matches(weights, expected(reference.attention_weights, scores))


@exercise("attention_weights")
@pytest.mark.points(1, "values")
def test_reordering_the_keys_reorders_the_weights(student: Any, draw: Draw, lead: Lead) -> None:
    """When the keys change places, each key's weight goes with it."""
    scores = draw.normal(*lead, 5, 8)
    weights, turned = student.attention_weights(scores), student.attention_weights(scores.flip(-1))
    for result in (weights, turned):
        assert_varied(result, scores)
    place = "A key's weight depends on where among the keys it stands."
    assert_agree(weights.flip(-1), turned, place)


@exercise("attention_weights")
@pytest.mark.points(0.5, "values")
def test_one_number_added_to_a_row_changes_nothing(student: Any, draw: Draw, lead: Lead) -> None:
    """Adding one number to all scores of a query leaves its weights as they were."""
    scores = (64 * draw.normal(*lead, 5, 8).double()).round() / 64  # float32 holds them,
    more = scores + draw.normal(*lead, 5, 1, scale=20.0).double().round()  # and these
    weights, shifted = student.attention_weights(scores), student.attention_weights(more)
    for result in (weights, shifted):
        assert_varied(result, scores)
    symptom = "Adding one number to all scores of a query changes its weights."
    assert_agree(weights, shifted, symptom)


@exercise("attention_weights")
@pytest.mark.points(2, "numerics")
def test_large_scores_give_finite_weights(student: Any, draw: Draw, lead: Lead) -> None:
    """Scores of ten thousand, and rows far apart from each other, give the right finite weights."""
    # Few digits, so that float32 could hold them too.
    scores = (64 * draw.normal(*lead, 6, 5, dtype=torch.float64)).round() / 64
    scores[..., :3, :] *= 1e4
    scores[..., 3:, :] += torch.tensor([[1000.0], [-1000.0], [0.0]])
    found = in_dtype(student.attention_weights(scores), scores.dtype)
    assert_matches(found, expected(reference.attention_weights, scores))


@exercise("attention_weights")
@pytest.mark.points(1, "generality")
def test_leading_dimensions_are_kept_apart(student: Any, draw: Draw) -> None:
    """With any number of dimensions in front, each query has its own softmax, also in a view."""
    answer, right = student.attention_weights, reference.attention_weights
    for seq in (7, 5):  # as many queries as keys is how it is used most
        assert_alike_in_front(answer, right, lambda lead: (draw.normal(*lead, 5, seq),))  # noqa: B023
    assert_alike_in_memory(answer, right, draw.normal(2, 5, 3, 7).transpose(1, 2))
    for scores in (draw.normal(3, 5, 4), draw.normal(2, 3, 5, 4)):
        other = scores.clone()
        other[0] = 30 * other[0].flip(0)
        before, after = (answer(one)[1:] for one in (scores, other))
        if not same_bits(before, after):
            raise Wrong("The scores of one text or head change the weights of another.")


@exercise("attention_weights")
@pytest.mark.points(2, "gradient")
def test_gradients_reach_the_scores(student: Any, draw: Draw, lead: Lead) -> None:
    """The scores get the right gradient."""
    scores, upstream = (draw.normal(*lead, 4, 6) for _ in range(2))
    found = student.grad("attention_weights", scores, upstream=upstream)
    assert_gradients_match(found, reference.attention_weights, scores, upstream=upstream)


@exercise("attention_weights")
@pytest.mark.points(0.5, "numerics")
def test_half_precision_weights_keep_their_dtype(student: Any, draw: Draw, lead: Lead) -> None:
    """Scores in bfloat16 and float16 give the right weights; every dtype is kept."""
    for dtype in (torch.bfloat16, torch.float16):
        _assert_right(student, draw.normal(*lead, 5, 7, dtype=dtype))
    assert_keeps_double(student.attention_weights(draw.normal(*lead, 5, 7, dtype=torch.float64)))


@exercise("attention_weights")
@pytest.mark.points(0.5, "generality")
@pytest.mark.every_lead
def test_the_scores_tensor_is_left_as_it_was(student: Any, draw: Draw, lead: Lead) -> None:
    """The tensor that is passed in still holds the same values afterwards."""
    large = draw.normal(*lead, 5, 7, scale=1e3)
    given = (draw.normal(*lead, 4, 9), large, draw.normal(*lead, 6, 6))
    assert_leaves_inputs(student, *(partial(student.attention_weights, one) for one in given))


@exercise("attention_weights")
@pytest.mark.points(0.5, "generality")
@pytest.mark.every_lead
def test_weights_stay_on_the_device_of_the_scores(student: Any, lead: Lead) -> None:
    """The weights are made on the device of the scores, with no detour through the CPU or NumPy."""

    def weights(queries: int, device: str) -> object:
        return student.attention_weights(torch.ones(*lead, queries, 7, device=device))

    assert_stays_on_meta(partial(weights, 5), partial(weights, 7), reading=True)


def _assert_right(student: Any, scores: Tensor) -> None:
    wanted = expected(reference.attention_weights, scores)
    assert_matches(student.attention_weights(scores), wanted)
