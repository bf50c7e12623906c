"""Hidden graders of 06-seeing-attention: load_attention, on checkpoints that no student has."""

from typing import Any

import pytest
import torch
from torch import Tensor

import graders.seeing_attention.load_attention.probe  # noqa: F401 - registers the probe
from autograder.judging import Wrong, assert_matches, exercise
from autograder.judging.draw import Draw
from autograder.judging.tolerance import Expected
from graders.seeing_attention.drawing.hidden import assert_refused
from graders.seeing_attention.load_attention.random_bert import (
    NARROW,
    WIDE,
    Sizes,
    asked,
    loaded,
    text,
)

# A whole model rounds more often than one function; a wrong scale is a thousand times further off.
CLOSE = 2e-4


@exercise("load_attention")
@pytest.mark.points(1.5, "values")
def test_word_pieces_stand_between_cls_and_sep(student: Any, draw: Draw) -> None:
    """The tokens are [CLS], the text's word pieces in order, and [SEP]."""
    for sizes, count in ((NARROW, 6), (WIDE, 4), (NARROW, 1)):
        said = text(draw, count)
        found, _ = _pair(asked(student, sizes, said))
        _assert_tokens(found, loaded(sizes, said)[0])


@exercise("load_attention")
@pytest.mark.points(1, "form")
def test_every_layer_and_head_has_a_table(student: Any, draw: Draw) -> None:
    """The weights are one tensor: layers, then heads, then queries, then keys."""
    for sizes, count in ((NARROW, 5), (WIDE, 7)):
        said = text(draw, count)
        _, weights = _pair(asked(student, sizes, said))
        right = loaded(sizes, said)[1]
        # How many tokens there are has a test of its own.
        tokens = weights.shape[-1] if isinstance(weights, Tensor) and weights.ndim else 0
        _assert_form(weights, right.new_zeros(*right.shape[:2], tokens, tokens))


@exercise("load_attention")
@pytest.mark.points(0.5, "values")
def test_each_query_shares_out_one(student: Any, draw: Draw) -> None:
    """In every head of every layer, each query's weights sum to 1."""
    said = text(draw, 5)
    _, weights = _pair(asked(student, WIDE, said))
    if not isinstance(weights, Tensor) or not weights.is_floating_point():
        _assert_form(weights, loaded(WIDE, said)[1])
    if not bool(((weights.double().sum(dim=-1) - 1).abs() < 1e-4).all()):
        raise Wrong("Some query's weights do not sum to 1.")


@exercise("load_attention")
@pytest.mark.points(2, "values")
def test_the_first_layer_looks_where_the_model_does(student: Any, draw: Draw) -> None:
    """The first layer's weights are those of the checkpoint, for every head."""
    for sizes in (NARROW, WIDE, NARROW):
        _assert_weights(student, sizes, slice(0, 1), text(draw, 5))


@exercise("load_attention")
@pytest.mark.points(2.5, "values")
def test_later_layers_read_what_earlier_ones_made(student: Any, draw: Draw) -> None:
    """Every later layer's weights are those of the checkpoint, too."""
    for sizes in (NARROW, WIDE):
        _assert_weights(student, sizes, slice(1, None), text(draw, 6))


@exercise("load_attention")
@pytest.mark.points(1.5, "values")
def test_a_pair_is_one_sequence_of_two_segments(student: Any, draw: Draw) -> None:
    """A pair's second text follows with its own [SEP], as segment 1, and is seen by the first."""
    for sizes, count in ((NARROW, 4), (WIDE, 3)):
        texts = text(draw, count), text(draw, count + 2)
        found, _ = _pair(asked(student, sizes, *texts))
        _assert_tokens(found, loaded(sizes, *texts)[0])
        _assert_weights(student, sizes, slice(None), *texts)


@exercise("load_attention")
@pytest.mark.points(0.25, "generality")
def test_an_empty_second_text_is_a_second_text(student: Any, draw: Draw) -> None:
    """An empty second text is one without pieces: it still brings its [SEP]."""
    said = text(draw, 4)
    alone, found = (_pair(asked(student, NARROW, *texts))[0] for texts in ((said,), (said, "")))
    if alone == found:
        raise Wrong(
            "An empty second text gives the same tokens as none: it should bring its [SEP]."
        )


@exercise("load_attention")
@pytest.mark.points(0.5, "errors")
def test_a_text_too_long_for_the_model_is_refused(student: Any, draw: Draw) -> None:
    """More tokens than the model has positions raise ValueError, whose text names both numbers."""
    texts = "cat " * 30, "dog " * 20
    assert_refused(lambda: asked(student, NARROW, *texts), 53, NARROW.positions)
    one_more = "cat " * (NARROW.positions - 1)  # and [CLS] and [SEP]
    assert_refused(lambda: asked(student, NARROW, one_more), NARROW.positions + 1, NARROW.positions)
    found, _ = _pair(asked(student, NARROW, "cat " * (NARROW.positions - 2)))
    if len(found) != NARROW.positions:
        raise Wrong("A text that just fits the model's positions gives another number of tokens.")


def _assert_weights(student: Any, sizes: Sizes, layers: slice, *texts: str) -> None:
    right = loaded(sizes, *texts)[1]
    _, weights = _pair(asked(student, sizes, *texts))
    _assert_form(weights, right)
    found, wanted = weights[layers], right[layers]
    if torch.allclose(found, wanted, rtol=0, atol=CLOSE):
        return
    if found.isnan().any():
        raise Wrong("Some weights are NaN.")
    if torch.allclose(found, wanted.mT, rtol=0, atol=CLOSE):
        raise Wrong("Your tables have keys for rows; rows are queries.")
    raise Wrong("Some weights are not those of the model.")


def _pair(found: Any) -> tuple[Any, Any]:
    if isinstance(found, tuple | list) and len(found) == 2:
        return found[0], found[1]
    raise Wrong("Two things were promised, the tokens and the weights; something else came back.")


def _assert_tokens(found: Any, wanted: list[str]) -> None:
    if not isinstance(found, list | tuple) or not all(isinstance(token, str) for token in found):
        raise Wrong("The tokens should be a list of texts.")
    if list(found) == wanted:
        return
    if [token for token in found if token not in ("[CLS]", "[SEP]")] == [
        token for token in wanted if token not in ("[CLS]", "[SEP]")
    ]:
        raise Wrong("The word pieces are right; [CLS] or [SEP] is missing or out of place.")
    raise Wrong("The tokens are not the text's word pieces in order.")


def _assert_form(weights: Any, right: Tensor) -> None:
    """Check the tensor's form by giving it the right values."""
    if (
        isinstance(weights, Tensor)
        and weights.shape == right.shape
        and weights.dtype == right.dtype
    ):
        return
    if isinstance(weights, Tensor) and weights.shape == right.transpose(0, 1).shape:
        raise Wrong("Heads come before layers in your weights; layers come first.")
    assert_matches(weights, Expected(right, right), "the tensor of weights")
