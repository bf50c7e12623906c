"""What graders of pictures ask of a heatmap, and words that tokens are drawn from."""

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import torch
from torch import Tensor

from autograder.checks.kit.drawn import DrawnAxes, DrawnFigure
from autograder.checks.kit.errors import MissingName, StudentError
from autograder.judging import Wrong
from autograder.judging.draw import Draw
from autograder.judging.symptoms import of_type
from checks.maps_seen import column_names, row_names, table_seen

WORDS = ("the", "a", "cat", "mat", "dog", "saw", "on", "it", "##s", "[SEP]", ".", "old")
CLOSE = 1e-6  # weights are at most 1; matplotlib keeps them in float32 or wider
DOT = 1.0  # of a figure: what places may overlap by rounding


def words(draw: Draw, count: int) -> list[str]:
    """So many tokens, some of them the same."""
    drawn = [WORDS[draw.integer(0, len(WORDS) - 1)] for _ in range(count)]
    drawn[-1] = drawn[0]
    return drawn


def rows(draw: Draw, *shape: int) -> Tensor:
    """Weights of random scores; each row sums to 1."""
    return draw.normal(*shape, scale=1.5).softmax(dim=-1)


def causal_rows(draw: Draw, *shape: int) -> Tensor:
    """Weights of random scores, (..., seq, seq), of which no row gives anything to later keys."""
    scores = draw.normal(*shape, shape[-1])
    future = torch.ones_like(scores, dtype=torch.bool).triu(1)
    return scores.masked_fill(future, -math.inf).softmax(dim=-1)


def along_shares(gradient: Any, free: Tensor | None = None) -> Any:
    """What a gradient says of changes that leave the sum of each row as it is.

    Rows of weights sum to 1. An answer that divides them by their sum has another gradient across
    that, by one number a row, and is as right.

    Args:
        gradient: (..., keys); what is no tensor comes back as it is.
        free: which weights may change; all of them when None.
    """
    if not isinstance(gradient, Tensor) or gradient.ndim == 0:
        return gradient
    free = torch.ones_like(gradient, dtype=torch.bool) if free is None else free
    total = torch.where(free, gradient, 0).sum(dim=-1, keepdim=True)
    mean = total / free.sum(dim=-1, keepdim=True)
    return torch.where(free, gradient - mean, gradient)


def loud_future(scores: Tensor) -> Tensor:
    """Scores, (seq, seq), with those of the past far below 0 and those of the future far above.

    No small number that one would put in the future's place, or add to it, takes its weight away.
    """
    future = torch.ones_like(scores, dtype=torch.bool).triu(1)
    return scores + torch.where(future, 1e5, -1e5)


def axes_of(found: Any) -> DrawnAxes:
    """The Axes that came back.

    Raises:
        Wrong: something else did.
    """
    if isinstance(found, DrawnAxes):
        return found
    if isinstance(found, DrawnFigure):
        raise Wrong("A Figure came back; the Axes that were drawn in were promised.")
    raise Wrong(f"Axes were promised; your result is {of_type(found)}.")


def two_axes_of(found: Any) -> tuple[DrawnAxes, DrawnAxes]:
    """The two Axes of the Figure that came back, left and right.

    Raises:
        Wrong: no Figure came back, or it has another number of Axes.
    """
    if not isinstance(found, DrawnFigure):
        told = "Axes" if isinstance(found, DrawnAxes) else of_type(found)
        raise Wrong(f"A Figure was promised; your result is {told}.")
    if len(found.axes) != 2:
        raise Wrong("Your figure does not have two heatmaps side by side.")
    left, right = found.axes
    if any(one.place[0] >= one.place[2] or one.place[1] >= one.place[3] for one in found.axes):
        raise Wrong("Your heatmaps have no width or no height.")
    if not side_by_side(left, right):
        raise Wrong("Your two heatmaps do not stand side by side.")
    return left, right


def copied_to_cpu(draw: Callable[[], object]) -> bool:
    """Whether a call that draws a meta tensor copies it to the CPU, which fails in its own way.

    NumPy, and with it Matplotlib, asks for that copy where it has not been made.
    """
    try:
        draw()
    except MissingName:
        raise
    except StudentError as error:
        return "Use Tensor.cpu()" not in error.message
    return True


def side_by_side(left: DrawnAxes, right: DrawnAxes) -> bool:
    """Whether one Axes ends before the other begins."""
    return left.place[2] <= right.place[0] + DOT


def shows(drawn: DrawnAxes, weights: Tensor, close: float = CLOSE) -> bool:
    """Whether a reader sees these weights, row 0 on top."""
    seen = table_seen(drawn)
    wanted = weights.detach().double().numpy()
    return seen is not None and seen.shape == wanted.shape and _same(seen, wanted, close)


def assert_shows(
    drawn: DrawnAxes, weights: Tensor, place: str = "Your heatmap", close: float = CLOSE
) -> None:
    """Check that a reader sees these weights: row i is query i, from the top down.

    Raises:
        Wrong: there is no heatmap, or it shows something else; says what is special about it.
    """
    if shows(drawn, weights, close):
        return
    seen, wanted = table_seen(drawn), weights.detach().double().numpy()
    if seen is None:
        raise Wrong(f"{place} is not there: nothing in the Axes draws a table of numbers.")
    if seen.shape != wanted.shape:
        raise Wrong(f"{place} has another number of rows or columns than there are tokens.")
    if np.isnan(seen).any():
        raise Wrong(f"{place} has holes: some of its numbers are NaN.")
    if _same(seen[::-1], wanted, close):
        raise Wrong(f"{place} has query 0 at the bottom; queries run down from the top.")
    if _same(seen.T, wanted, close):
        raise Wrong(f"{place} has keys for rows; rows are queries.")
    raise Wrong(f"{place} shows other numbers than the weights.")


def assert_drawn(drawn: DrawnAxes, weights: Tensor, close: float = CLOSE) -> None:
    """Check that these weights are drawn, whichever way up, and whichever axis has the keys."""
    seen, wanted = table_seen(drawn), weights.detach().double().numpy()
    turned = (wanted, wanted[::-1], wanted.T, wanted.T[::-1])
    if seen is None or not any(_same(seen, one, close) for one in turned):
        assert_shows(drawn, weights, close=close)


def assert_named(
    drawn: DrawnAxes, tokens: list[str], weights: Tensor, place: str = "Your heatmap"
) -> None:
    """Check that each row and each column has its own token at the middle of the cell.

    Which way up the rows run is not asked: query 0 may stand at the bottom, if its name does, too.
    """
    rows, seen, wanted = row_names(drawn), table_seen(drawn), weights.detach().double().numpy()
    if seen is not None and any(_same(seen[::-1], one, CLOSE) for one in (wanted, wanted.T)):
        rows = rows[::-1]
    for what, names in (("row", rows), ("column", column_names(drawn))):
        if names != tokens:
            raise Wrong(f"{place} does not have its token at the middle of every {what}.")


def _same(seen: np.ndarray, wanted: np.ndarray, close: float) -> bool:
    return seen.shape == wanted.shape and bool(np.allclose(seen, wanted, rtol=0, atol=close))
