"""Hidden graders of 02-self-attention: SelfAttention.

Values are as wide as keys but where widths are asked about: in the first test, and in their own.
"""

from typing import Any

import pytest
import torch

import graders.self_attention.layers.probe  # noqa: F401 - registers the probes
from autograder.judging import assert_matches, exercise
from autograder.judging.draw import Draw
from autograder.judging.properties import assert_varied
from graders.modules import mask_of, with_loud_values
from graders.self_attention.layers.given_layers import (
    Lead,
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
    made,
    reference_of,
    weights_of,
)
from graders.two_results import (
    assert_weights_make_output,
    assert_weights_right,
    output_of,
    weights_in,
)

NAME = "SelfAttention"


@exercise("SelfAttention")
@pytest.mark.points(8, "values")
def test_tokens_attend_with_learnt_projections(student: Any, draw: Draw, lead: Lead) -> None:
    """With given weights, the output is attention of queries, keys and values made by them."""
    for sizes in ((11, 6, 10), (5, 7, 3)):
        weights = weights_of(draw, sizes)
        module = loaded(student, NAME, sizes, weights)
        reference = reference_of(sizes, weights)
        for seq in (5, 4, 5):  # new values again show what was kept
            x = draw.normal(*lead, seq, sizes[0])
            assert_output_right(module(x), reference, x)
    loud, x = with_loud_values(weights), draw.normal(*lead, 4, sizes[0])
    module = loaded(student, NAME, sizes, loud)
    assert_output_right(module(x), reference_of(sizes, loud), x)


@exercise("SelfAttention")
@pytest.mark.points(6, "form")
def test_the_weights_come_back_too(student: Any, draw: Draw, lead: Lead) -> None:
    """The second value is the weights, (..., seq, seq), by which the output is made."""
    sizes = (9, 4, 4)
    weights = weights_of(draw, sizes)
    module, reference = loaded(student, NAME, sizes, weights), reference_of(sizes, weights)
    for seq in (7, 4):
        x = draw.normal(*lead, seq, 9)
        v = reference.w_v(x).detach()
        assert_weights_make_output(module(x), v, v.new_empty(*lead, seq, seq))
    x = draw.normal(*lead, 1, 9)  # axes of length 1 stay
    assert_matches(weights_in(module(x)), torch.ones(*lead, 1, 1))


@exercise("SelfAttention")
@pytest.mark.points(1, "generality")
def test_widths_of_keys_and_values_are_free(student: Any, draw: Draw, lead: Lead) -> None:
    """The widths d_k and d_v may be wider or narrower than d_model, and need not agree."""
    for sizes in ((4, 9, 7), (12, 3, 5), (6, 6, 6), (5, 3, 1)):
        output = output_of(made(student, NAME, sizes)(draw.normal(*lead, 5, sizes[0])))
        assert_varied(output, torch.empty(*lead, 5, sizes[2]))


@exercise("SelfAttention")
@pytest.mark.points(0.5, "values")
def test_bias_is_there_only_when_asked_for(student: Any, draw: Draw, lead: Lead) -> None:
    """Without `bias=True` no projection has a bias: from zeros come zeros."""
    assert_no_bias_unasked(student, NAME, lead)


@exercise("SelfAttention")
@pytest.mark.points(1, "generality")
def test_bias_is_added_where_asked_for(student: Any, draw: Draw, lead: Lead) -> None:
    """With `bias=True` all three projections have a bias: from zeros comes that of the values."""
    assert_bias_added(student, NAME, draw, lead)


@exercise("SelfAttention")
@pytest.mark.points(8, "masking")
def test_the_module_obeys_a_mask(student: Any, draw: Draw, lead: Lead) -> None:
    """A mask, True where attention is allowed, is obeyed: one for all, or one for each text."""
    sizes = (8, 5, 5)
    weights = weights_of(draw, sizes)
    module, reference = loaded(student, NAME, sizes, weights), reference_of(sizes, weights)
    x = draw.normal(*lead, 7, 8)
    for shape in ((7, 7), (*lead, 7, 7), (*lead, 1, 7)):
        mask = mask_of(draw, *shape)
        found = module(x, mask=mask)
        assert_output_right(found, reference, x, mask)
        if isinstance(found, tuple | list):
            assert_weights_right(found, reference, x, mask)
    assert_output_right(module(x), reference, x)  # no mask of before is kept


@exercise("SelfAttention")
@pytest.mark.points(1, "masking")
def test_masks_are_taken_alike_whatever_stands_in_front(student: Any, draw: Draw) -> None:
    """A text of a batch gets under its own mask what it gets alone."""
    assert_alike_in_front(student, NAME, draw, masked=True)


@exercise("SelfAttention")
@pytest.mark.points(4, "masking")
def test_nothing_forbidden_leaks_through_the_module(student: Any, draw: Draw, lead: Lead) -> None:
    """A token that the mask forbids moves no bit of what comes out."""
    assert_nothing_leaks(student, NAME, draw, lead)


@exercise("SelfAttention")
@pytest.mark.points(0.5, "numerics")
def test_large_scores_and_scores_of_zero_are_scores(student: Any, draw: Draw, lead: Lead) -> None:
    """Scores far below 0, and scores of exactly 0, give the right result, masked or not."""
    assert_right_for_odd_scores(student, NAME, draw, lead)


@exercise("SelfAttention")
@pytest.mark.points(1, "generality")
def test_one_text_alone_needs_no_batch(student: Any, draw: Draw) -> None:
    """The input may have no batch in front, one leading dimension or two."""
    assert_alike_in_front(student, NAME, draw, masked=False)


@exercise("SelfAttention")
@pytest.mark.points(0.5, "values")
def test_tokens_that_change_places_keep_what_they_get(student: Any, draw: Draw, lead: Lead) -> None:
    """When tokens change places, with their rows and columns of the mask, outputs go with them."""
    assert_tokens_exchangeable(student, NAME, draw, lead)


@exercise("SelfAttention")
@pytest.mark.points(2, "generality")
def test_training_changes_nothing(student: Any, draw: Draw) -> None:
    """In training, the module gives what it gives otherwise: nothing is dropped, or drawn."""
    assert_nothing_dropped(student, NAME, draw)


@exercise("SelfAttention")
@pytest.mark.points(0.5, "generality")
def test_texts_of_a_batch_stay_apart(student: Any, draw: Draw) -> None:
    """What stands in one text of a batch moves no bit of what comes out for another."""
    assert_texts_apart(student, NAME, draw)


@exercise("SelfAttention")
@pytest.mark.points(2, "gradient")
def test_input_and_projections_get_gradients(student: Any, draw: Draw, lead: Lead) -> None:
    """The input and all parameters get the right gradients, with a mask and without."""
    for mask in (None, mask_of(draw, 5, 5)):
        assert_gradients_right(student, NAME, draw, lead, (9, 4, 4), mask)


@exercise("SelfAttention")
@pytest.mark.points(0.5, "numerics")
def test_the_module_works_in_half_precision(student: Any, draw: Draw, lead: Lead) -> None:
    """In float16 and bfloat16 the module works, with a mask too; every dtype is kept."""
    assert_in_half_precision(student, NAME, draw, lead)


@exercise("SelfAttention")
@pytest.mark.points(0.5, "generality")
@pytest.mark.every_lead
def test_the_module_is_tied_to_no_device(student: Any, draw: Draw, lead: Lead) -> None:
    """Input, mask and module on one device give a result on that device."""
    assert_tied_to_no_device(student, NAME, draw, lead)


@exercise("SelfAttention")
@pytest.mark.points(0.5, "generality")
@pytest.mark.every_lead
def test_the_module_leaves_input_and_mask_alone(student: Any, draw: Draw, lead: Lead) -> None:
    """The input and the mask that are passed in still hold the same values afterwards."""
    assert_leaves_alone(student, NAME, draw, lead)
