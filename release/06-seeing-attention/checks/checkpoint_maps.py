"""Visible checks of load_attention in 06-seeing-attention, on the checkpoint `tiny-bert`."""

from typing import Any

import numpy as np
import torch
from torch import Tensor

from checks.kit.describing import form_text, numbers_of
from checks.kit.examples import example
from checks.kit.expectation import (
    Mismatch,
    exercise,
    expect,
    expect_value_error,
    same,
    sums_to_one,
)
from checks.kit.local_student import LocalStudent
from checks.weights import AttentionMap

_FOLDER = "tiny-bert"
_ONE = ["[CLS]", "the", "cat", "sat", ".", "[SEP]"]
_PAIR = [*_ONE, "a", "kitten", "slept", ".", "[SEP]"]
# The rows of "cat" in these heads, for "The cat sat." alone.
_HEADS = ((0, 0), (1, 3), (2, 0), (2, 2))
_ROWS = torch.tensor(
    [
        [0.0085, 0.9884, 0.0008, 0.0008, 0.0009, 0.0007],
        [0.1659, 0.1849, 0.1822, 0.1474, 0.1403, 0.1793],
        [0.0000, 0.0000, 0.0002, 0.9998, 0.0000, 0.0000],
        [0.0001, 0.0000, 0.0001, 0.9996, 0.0001, 0.0000],
    ]
)
_WORDS = ("[CLS]", "a", "dog", "saw", "a", "puppy", ".", "[SEP]")


@example("load_attention", picture=AttentionMap("head 2.1 of tiny-bert", _WORDS, _WORDS))
def related_words_in_a_sentence(student: LocalStudent) -> Tensor:
    """The head that links words of one topic."""
    _, weights = student.load_attention(_FOLDER, "A dog saw a puppy.")
    table: Tensor = weights[2, 1]
    return table


@exercise("load_attention")
def test_one_text(student: LocalStudent) -> None:
    """The tokens begin with [CLS] and end with [SEP]; 3 layers of 4 heads have a table each."""
    tokens, weights = _pair_of(student.load_attention(_FOLDER, "The cat sat."))
    _expect_tokens(tokens, _ONE)
    expect_shape(weights, (3, 4, 6, 6))
    array = numbers_of(weights)
    if array is not None and not sums_to_one(array, -1):
        says = "Each query shares out 1, in every head. Along which axis does your softmax go?"
        raise Mismatch("rows that do not sum to 1", "rows that sum to 1", says)


@exercise("load_attention")
def test_what_the_first_layers_heads_look_at(student: LocalStudent) -> None:
    """Head 0.0 looks at the token before: from "cat", 0.9884 goes to "the"."""
    _, weights = _pair_of(student.load_attention(_FOLDER, "The cat sat."))
    expect_shape(weights, (3, 4, 6, 6))
    expect(weights[0, 0, 2], _ROWS[0], "(keys)", _scale_is_special)


@exercise("load_attention")
def test_every_layer_reads_what_the_one_before_has_made(student: LocalStudent) -> None:
    """From "cat", head 1.3 looks everywhere, head 2.0 at "sat", and head 2.2 at "sat", too."""
    _, weights = _pair_of(student.load_attention(_FOLDER, "The cat sat."))
    expect_shape(weights, (3, 4, 6, 6))
    deeper = torch.stack([weights[layer, head, 2] for layer, head in _HEADS[1:]])
    expect(deeper, _ROWS[1:], "(heads, keys)", _depth_is_special)


@exercise("load_attention")
def test_a_pair_of_texts(student: LocalStudent) -> None:
    """The second text follows with a [SEP] of its own, as segment 1."""
    found = student.load_attention(_FOLDER, "The cat sat.", "A kitten slept.")
    tokens, weights = _pair_of(found)
    _expect_tokens(tokens, _PAIR)
    expect_shape(weights, (3, 4, 11, 11))
    _, alone = _pair_of(student.load_attention(_FOLDER, "The cat sat."))
    expect_shape(alone, (3, 4, 6, 6))
    of_one = torch.stack([alone[layer, head, 2] for layer, head in _HEADS])
    links = torch.stack([weights[2, 3, 10, 2], weights[2, 0, 4, 5]])
    special = _segments_are_special if same(of_one.numpy(), _ROWS.numpy()) else _one_text_first
    expect(links, torch.tensor([0.4243, 0.4072]), "(two links)", special)


@exercise("load_attention")
def test_a_text_that_is_too_long_is_refused(student: LocalStudent) -> None:
    """With 38 tokens and 32 positions there is a ValueError that names both."""
    expect_value_error(
        lambda: student.load_attention(_FOLDER, "the cat sat on the mat " * 6), numbers=(38, 32)
    )


def expect_shape(weights: Any, wanted: tuple[int, ...]) -> None:
    """State the form of the weights: layers, heads, queries, keys."""
    axes = "(layers, heads, queries, keys)"
    if not isinstance(weights, Tensor):
        says = "The weights of all layers go into one tensor. What stacks tensors of one shape?"
        raise Mismatch(form_text(weights), f"one tensor {axes}", says)
    if tuple(weights.shape) != wanted:
        says = "One table for each head of each layer is wanted, every token being query and key."
        raise Mismatch(f"shape {tuple(weights.shape)}", f"shape {wanted}: {axes}", says)


def _pair_of(found: Any) -> tuple[Any, Any]:
    if isinstance(found, (tuple, list)) and len(found) == 2:
        return found[0], found[1]
    says = "Two things are promised: the tokens, then the weights."
    raise Mismatch(form_text(found), "tokens and weights", says)


def _expect_tokens(tokens: Any, wanted: list[str]) -> None:
    if not isinstance(tokens, (list, tuple)) or list(tokens) != wanted:
        says = "Compare token by token: which special ones are wanted, and where?"
        told = str(tokens) if isinstance(tokens, (list, tuple)) else form_text(tokens)
        raise Mismatch(told[:300], str(wanted), says)


def _scale_is_special(found: np.ndarray) -> str | None:
    if found.shape == (6,) and found.argmax() == 1:
        return (
            "The right key, with another weight. By which number are a head's scores divided? And "
            "is anything masked that should not be?"
        )
    if found.shape == (6,) and found.argmax() == 3:
        return "This is who looks at *cat*. Which of the two, q or k, must be transposed?"
    return None


def _depth_is_special(found: np.ndarray) -> str | None:
    if found.shape == (3, 6) and found[2].max() < 0.4:
        return "Head 2.2 finds nothing: its keys read what layer 0 wrote. What is x in each layer?"
    return None


def _one_text_first(found: np.ndarray) -> str:
    return "The weights of one text alone are not right yet. Mend these first, then look at pairs."


def _segments_are_special(found: np.ndarray) -> str | None:
    if found.shape == (2,) and abs(found - [0.4243, 0.4072]).max() < 0.35:
        return "Nearly: which tokens belong to segment 0, and which to segment 1?"
    return None
