"""Hidden graders of 06-seeing-attention: strongest_links."""

from typing import Any

import pytest
import torch
from torch import Tensor

import graders.seeing_attention.probes  # noqa: F401 - registers the probes
from autograder.judging import Wrong, exercise
from autograder.judging.draw import Draw
from graders.seeing_attention.drawing.hidden import assert_refused
from graders.seeing_attention.maps_seen import rows, words
from solutions.seeing_attention import reference

Links = list[list[tuple[str, float]]]


@exercise("strongest_links")
@pytest.mark.points(3, "values")
def test_the_largest_weights_come_first(student: Any, draw: Draw) -> None:
    """For each query, the k keys with the largest weights are listed, largest first."""
    for queries, keys, k in ((5, 7, 3), (4, 9, 2), (6, 6, 4), (5, 7, 3)):
        weights, tokens = rows(draw, queries, keys), words(draw, keys)
        _assert_links(student.strongest_links(weights, tokens, k), weights, tokens, k)


@exercise("strongest_links")
@pytest.mark.points(1.5, "values")
def test_equal_weights_go_by_position(student: Any, draw: Draw) -> None:
    """Of equal weights, the key at the earlier position comes first, with many keys as well."""
    for keys, k in ((6, 3), (40, 25)):
        levels = torch.tensor([float(draw.integer(1, 3)) for _ in range(3 * keys)]).view(3, keys)
        weights = levels / 128
        tokens = [f"w{place}" for place in range(keys)]
        says = "Of equal weights, the key at the earlier position does not always come first."
        _assert_links(student.strongest_links(weights, tokens, k=k), weights, tokens, k, says)


@exercise("strongest_links")
@pytest.mark.points(1, "values")
def test_k_says_how_many(student: Any, draw: Draw) -> None:
    """Without k there are three links; with fewer keys than k, all of them, 0 or not."""
    weights, tokens = rows(draw, 4, 8), words(draw, 8)
    _assert_links(student.strongest_links(weights, tokens), weights, tokens, 3)
    _assert_links(student.strongest_links(weights, tokens, 1), weights, tokens, 1)
    weights, tokens = rows(draw, 3, 2), words(draw, 2)
    _assert_links(student.strongest_links(weights, tokens, k=5), weights, tokens, 5)
    weights, tokens = rows(draw, 3, 4), words(draw, 4)
    weights[:, 1] = 0.0
    _assert_links(student.strongest_links(weights, tokens, k=4), weights, tokens, 4)


@exercise("strongest_links")
@pytest.mark.points(0.5, "form")
def test_links_are_plain_lists_of_tokens_and_floats(student: Any, draw: Draw) -> None:
    """What comes back are lists of pairs, each a token and a Python float."""
    weights, tokens = rows(draw, 3, 5), words(draw, 5)
    found = student.strongest_links(weights, tokens, 2)
    for row in found if isinstance(found, list | tuple) else [None]:
        if not isinstance(row, list | tuple):
            raise Wrong("A list of lists was promised, one for each query.")
        for pair in row:
            if not isinstance(pair, tuple | list) or len(pair) != 2:
                raise Wrong("Each link should be a pair: the token, then its weight.")
            if not isinstance(pair[0], str) or not isinstance(pair[1], float):
                raise Wrong("A pair should hold the token's text and its weight as a float.")


@exercise("strongest_links")
@pytest.mark.points(0.5, "generality")
def test_links_from_half_precision_leave_the_weights_alone(student: Any, draw: Draw) -> None:
    """Weights in bfloat16 and float64 give links, too, and stay as they are."""
    for dtype in (torch.bfloat16, torch.float64):
        weights, tokens = rows(draw, 4, 6).to(dtype), words(draw, 6)
        found = student.strongest_links(weights, tokens)
        if student.changed_inputs:
            raise Wrong("Your code changes the weights or the tokens that it was given.")
        _assert_links(found, weights, tokens, 3)


@exercise("strongest_links")
@pytest.mark.points(0.5, "errors")
def test_tokens_that_do_not_fit_the_keys_are_refused(student: Any, draw: Draw) -> None:
    """Too few or too many tokens raise ValueError, whose text names both numbers."""
    for keys, count in ((7, 6), (5, 8)):
        weights, tokens = rows(draw, 4, keys), words(draw, count)
        assert_refused(lambda w=weights, t=tokens: student.strongest_links(w, t), keys, count)


def _assert_links(
    found: Any,
    weights: Tensor,
    tokens: list[str],
    k: int,
    misplaced: str = "A link names another token than the key's own.",
) -> None:
    wanted: Links = reference.strongest_links(weights, tokens, k)
    if not isinstance(found, list | tuple) or len(found) != len(wanted):
        raise Wrong("One list for each query was promised, and something else came back.")
    for row, right in zip(found, wanted, strict=True):
        if not isinstance(row, list | tuple) or len(row) != len(right):
            raise Wrong("A query has another number of links than was asked for.")
        for link, (token, weight) in zip(row, right, strict=True):
            if not isinstance(link, list | tuple) or len(link) != 2:
                raise Wrong("Each link should be a pair: the token, then its weight.")
            if not _is_weight(link[1], weight):
                raise Wrong("A link's weight is not the one that belongs at its place.")
            if link[0] != token:
                raise Wrong(misplaced)


def _is_weight(found: Any, weight: float) -> bool:
    """Whether it is this number; of which type, another test asks."""
    try:
        return abs(float(found) - weight) <= 1e-6
    except (TypeError, ValueError):
        return False
