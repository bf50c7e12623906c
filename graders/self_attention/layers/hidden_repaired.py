"""Hidden graders of 02-self-attention: RepairedAttention, whose three slips are judged apart."""

from typing import Any

import pytest
import torch
from torch import Tensor

import graders.self_attention.layers.probe  # noqa: F401 - registers the probes
from autograder.judging import Wrong, exercise
from autograder.judging.draw import Draw
from autograder.judging.properties import assert_varied
from autograder.judging.registry import keep_own
from graders.modules import mask_of, with_loud_values
from graders.self_attention.layers.given_layers import (
    REPAIRED,
    Lead,
    Sizes,
    assert_alike_in_front,
    assert_bias_added,
    assert_gradients_right,
    assert_in_half_precision,
    assert_leaves_alone,
    assert_no_bias_unasked,
    assert_nothing_dropped,
    assert_nothing_leaks,
    assert_output_right,
    assert_right_for_odd_scores,
    assert_texts_apart,
    assert_tied_to_no_device,
    assert_tokens_exchangeable,
    loaded,
    output_in,
    reference_of,
    weights_of,
)
from graders.two_results import assert_weights_right, weights_in

CLOSE = 0.02  # weights found back from an output are no more exact; another width is further off

keep_own(REPAIRED, "SelfAttention", because="it has the same contract")


@exercise("RepairedAttention")
@pytest.mark.points(8, "values")
def test_the_repaired_module_attends_rightly(student: Any, draw: Draw, lead: Lead) -> None:
    """With given weights, the output is that of attention."""
    for sizes in ((11, 6, 10), (5, 7, 3)):
        weights = weights_of(draw, sizes)
        module, reference = loaded(student, REPAIRED, sizes, weights), reference_of(sizes, weights)
        for seq in (5, 4, 5):  # new values again show what was kept
            x = draw.normal(*lead, seq, sizes[0])
            assert_output_right(module(x), reference, x)
    loud, x = with_loud_values(weights), draw.normal(*lead, 4, sizes[0])
    module = loaded(student, REPAIRED, sizes, loud)
    assert_output_right(module(x), reference_of(sizes, loud), x)


@exercise("RepairedAttention")
@pytest.mark.points(2, "form")
def test_two_values_come_back_as_promised(student: Any, draw: Draw, lead: Lead) -> None:
    """Two values come back, the output and the weights, each of its own shape."""
    for sizes in ((9, 4, 4), (3, 5, 5)):
        module, x = made_with(student, sizes, draw), draw.normal(*lead, 7, sizes[0])
        found = module(x)
        assert_varied(output_in(REPAIRED, found), torch.empty(*lead, 7, sizes[2]))
        assert_varied(found[1], torch.empty(*lead, 7, 7))


@exercise("RepairedAttention")
@pytest.mark.points(2, "values")
def test_every_token_shares_out_one_whole(student: Any, draw: Draw, lead: Lead) -> None:
    """The weights of every token are positive and sum to one over the keys."""
    sizes = (8, 5, 5)
    module, x = made_with(student, sizes, draw), draw.normal(*lead, 6, 8)
    weights = weights_in(module(x))
    assert_varied(weights, torch.empty(*lead, 6, 6))
    if bool((weights < 0).any()) or bool(((weights.sum(-1) - 1).abs() > 1e-3).any()):
        raise Wrong("The weights of a token do not share out one whole among the keys.")


@exercise("RepairedAttention")
@pytest.mark.points(2, "values")
def test_the_scale_follows_the_width_of_the_keys(student: Any, draw: Draw, lead: Lead) -> None:
    """Scores are divided by the root of d_k, whatever d_model and d_v are."""
    sizes = (12, 3, 7)
    weights = weights_of(draw, sizes)
    module, x = loaded(student, REPAIRED, sizes, weights), draw.normal(*lead, 5, 12)
    found = module(x)
    q, k, v = (x @ weights[f"{w}.weight"].mT for w in ("w_q", "w_k", "w_v"))
    seen = [weights_in(found), output_in(REPAIRED, found)]
    # Five rows of seven numbers are apart: the output shows by which weights it averages them,
    # whatever comes back beside it.
    for part in list(seen):
        if isinstance(part, Tensor) and part.shape == v.shape:
            seen.append(torch.linalg.lstsq(v.double().mT, part.double().mT).solution.mT)
    known = [scale for part in seen if (scale := _scale_of(part, q @ k.mT)) is not None]
    if not known:
        raise Wrong(
            "Neither are your weights a softmax of the scores, whatever their scale, nor does your "
            "output average the values by one."
        )
    if not abs(known[0] * 3**0.5 - 1) < CLOSE:
        raise Wrong("The scores are not divided by the root of the keys' width.")


@exercise("RepairedAttention")
@pytest.mark.points(3, "masking")
def test_the_mask_still_works(student: Any, draw: Draw, lead: Lead) -> None:
    """A mask, True where attention is allowed, is obeyed by output and weights."""
    sizes = (8, 5, 5)
    weights = weights_of(draw, sizes)
    module, reference = loaded(student, REPAIRED, sizes, weights), reference_of(sizes, weights)
    x = draw.normal(*lead, 7, 8)
    for shape in ((7, 7), (*lead, 1, 7)):
        mask = mask_of(draw, *shape)
        found = module(x, mask=mask)
        assert_output_right(found, reference, x, mask)
        if isinstance(found, tuple | list):
            assert_weights_right(found, reference, x, mask)


@exercise("RepairedAttention")
@pytest.mark.points(1, "masking")
def test_masks_are_still_taken_alike_whatever_stands_in_front(student: Any, draw: Draw) -> None:
    """A text of a batch gets under its own mask the two results that it gets alone."""
    assert_alike_in_front(student, REPAIRED, draw, masked=True)


@exercise("RepairedAttention")
@pytest.mark.points(1, "masking")
def test_nothing_forbidden_leaks_after_the_repair(student: Any, draw: Draw, lead: Lead) -> None:
    """A token that the mask forbids moves no bit of the two results."""
    assert_nothing_leaks(student, REPAIRED, draw, lead)


@exercise("RepairedAttention")
@pytest.mark.points(0.5, "values")
def test_the_repaired_module_has_no_bias_unasked(student: Any, lead: Lead) -> None:
    """Without `bias=True` no projection has a bias: zeros give an output of zeros, and weights."""
    assert_no_bias_unasked(student, REPAIRED, lead)


@exercise("RepairedAttention")
@pytest.mark.points(1, "generality")
def test_the_repaired_module_adds_biases_it_was_asked_for(
    student: Any, draw: Draw, lead: Lead
) -> None:
    """With `bias=True` all three projections have a bias: from zeros comes that of the values."""
    assert_bias_added(student, REPAIRED, draw, lead)


@exercise("RepairedAttention")
@pytest.mark.points(0.5, "numerics")
def test_large_scores_and_zeros_are_scores_after_the_repair(
    student: Any, draw: Draw, lead: Lead
) -> None:
    """Scores far below 0, and scores of exactly 0, give the right result, masked or not."""
    assert_right_for_odd_scores(student, REPAIRED, draw, lead)


@exercise("RepairedAttention")
@pytest.mark.points(1, "generality")
def test_the_repaired_module_needs_no_batch(student: Any, draw: Draw) -> None:
    """A text gets the same two results alone, in a batch, and in a batch of batches."""
    assert_alike_in_front(student, REPAIRED, draw, masked=False)


@exercise("RepairedAttention")
@pytest.mark.points(0.5, "values")
def test_no_place_is_special_after_the_repair(student: Any, draw: Draw, lead: Lead) -> None:
    """When tokens change places, with their rows and columns of the mask, both results follow."""
    assert_tokens_exchangeable(student, REPAIRED, draw, lead)


@exercise("RepairedAttention")
@pytest.mark.points(0.5, "generality")
def test_training_changes_nothing_after_the_repair(student: Any, draw: Draw) -> None:
    """In training, the repaired module gives both results as otherwise: nothing is dropped."""
    assert_nothing_dropped(student, REPAIRED, draw)


@exercise("RepairedAttention")
@pytest.mark.points(0.5, "generality")
def test_texts_stay_apart_after_the_repair(student: Any, draw: Draw) -> None:
    """What stands in one text of a batch moves no bit of the two results for another."""
    assert_texts_apart(student, REPAIRED, draw)


@exercise("RepairedAttention")
@pytest.mark.points(1, "gradient")
def test_the_repaired_module_can_learn(student: Any, draw: Draw, lead: Lead) -> None:
    """The input and all parameters get the right gradients, with a mask and without."""
    for mask in (None, mask_of(draw, 5, 5)):
        assert_gradients_right(student, REPAIRED, draw, lead, (9, 4, 4), mask)


@exercise("RepairedAttention")
@pytest.mark.points(0.5, "numerics")
def test_the_repaired_module_works_in_half_precision(student: Any, draw: Draw, lead: Lead) -> None:
    """In float16 and bfloat16 the module works, with a mask too; every dtype is kept."""
    assert_in_half_precision(student, REPAIRED, draw, lead)


@exercise("RepairedAttention")
@pytest.mark.points(0.5, "generality")
@pytest.mark.every_lead
def test_the_repaired_module_is_tied_to_no_device(student: Any, draw: Draw, lead: Lead) -> None:
    """Input, mask and module on one device give two results on that device."""
    assert_tied_to_no_device(student, REPAIRED, draw, lead)


@exercise("RepairedAttention")
@pytest.mark.points(0.5, "generality")
@pytest.mark.every_lead
def test_the_repaired_module_leaves_input_and_mask_alone(
    student: Any, draw: Draw, lead: Lead
) -> None:
    """Two results come, and the input and the mask hold the same values afterwards."""
    assert_leaves_alone(student, REPAIRED, draw, lead)


def made_with(student: Any, sizes: Sizes, draw: Draw) -> Any:
    """The student's module with weights that no two of its layers share."""
    return loaded(student, REPAIRED, sizes, weights_of(draw, sizes))


def _scale_of(weights: object, plain: Tensor) -> float | None:
    """By what products of queries and keys are multiplied, of which these are a softmax.

    Keys may stand for queries: whether they do has a test of its own. None where they are no
    softmax of such products.
    """
    if not isinstance(weights, Tensor) or weights.shape != plain.shape:
        return None
    if not weights.is_floating_point() or not bool((weights > 0).all()):
        return None
    scaled = _centred(weights.double().log())
    for products in (_centred(plain.double()), _centred(plain.double().mT)):
        ratio = (scaled * products).sum() / (products * products).sum()
        if bool((scaled - ratio * products).abs().max() < CLOSE * scaled.abs().max()):
            return float(ratio.item())
    return None


def _centred(scores: Tensor) -> Tensor:
    """Scores without what a softmax adds to a row or a column: its axis has a test of its own."""
    rows, columns = scores.mean(-1, keepdim=True), scores.mean(-2, keepdim=True)
    return scores - rows - columns + scores.mean((-2, -1), keepdim=True)
