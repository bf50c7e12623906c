"""Hidden graders of 06-seeing-attention: plot_attention and compare_attention."""

import math
from typing import Any

import pytest
import torch
from torch import Tensor

import graders.seeing_attention.probes  # noqa: F401 - registers the probes
from autograder.checks.kit.drawn import DrawnAxes, DrawnFigure
from autograder.checks.kit.errors import MissingName, StudentDied, StudentError
from autograder.judging import Wrong, exercise
from autograder.judging.draw import Draw
from checks.maps_seen import column_names, row_names
from graders.seeing_attention.maps_seen import (
    assert_drawn,
    assert_named,
    assert_shows,
    axes_of,
    copied_to_cpu,
    loud_future,
    two_axes_of,
    words,
)

SIZES = (7, 4, 7)  # one size once more, whose new values show a picture that was kept
MANY = 18  # as many as the notebook's own maps have; matplotlib puts no tick at every cell then
HALF = 0.004  # bfloat16 keeps three digits


@exercise("plot_attention")
@pytest.mark.points(3, "values")
def test_row_i_is_query_i_from_the_top_down(student: Any, draw: Draw) -> None:
    """The heatmap shows the weights: rows are queries from the top down, columns are keys."""
    for seq in SIZES:
        weights = _weights(draw, seq)
        assert_shows(axes_of(student.plot_attention(weights, words(draw, seq))), weights)


@exercise("plot_attention")
@pytest.mark.points(2, "form")
def test_every_row_and_column_carries_its_token(student: Any, draw: Draw) -> None:
    """Each token stands at the middle of its row and of its column, also one that comes twice."""
    for seq in (*SIZES, MANY):
        tokens = words(draw, seq)
        weights = _weights(draw, seq)
        assert_named(axes_of(student.plot_attention(weights, tokens)), tokens, weights)


@exercise("plot_attention")
@pytest.mark.points(1, "form")
def test_the_axes_say_which_is_which(student: Any, draw: Draw) -> None:
    """The x axis is labelled as the keys', the y axis as the queries'."""
    drawn = axes_of(student.plot_attention(_weights(draw, 5), words(draw, 5)))
    across, down = drawn.xlabel.lower(), drawn.ylabel.lower()
    if "key" in down or "quer" in across:
        raise Wrong("Your labels name the keys' axis for the queries' one, or the other way round.")
    if "key" not in across or "quer" not in down:
        raise Wrong('The x label does not say "key", or the y label not "query".')


@exercise("plot_attention")
@pytest.mark.points(1, "values")
def test_one_colour_means_one_weight(student: Any, draw: Draw) -> None:
    """Colours run from 0 to 1, whatever the weights are."""
    for weights in (_weights(draw, 6), torch.full((3, 3), 1 / 3), torch.eye(5)):
        drawn = axes_of(student.plot_attention(weights, words(draw, len(weights))))
        if drawn.mesh_limits is None or not _near(drawn.mesh_limits, (0.0, 1.0)):
            raise Wrong("Your colours do not run from 0 to 1: one colour means many weights.")


@exercise("plot_attention")
@pytest.mark.points(1, "form")
def test_a_colour_bar_tells_what_colours_mean(student: Any, draw: Draw) -> None:
    """A colour bar stands beside the heatmap."""
    drawn = axes_of(student.plot_attention(_weights(draw, 5), words(draw, 5)))
    if not drawn.colorbar:
        raise Wrong("No colour bar tells what your colours mean.")


@exercise("plot_attention")
@pytest.mark.points(1, "form")
def test_given_axes_are_drawn_in_and_come_back(student: Any, draw: Draw) -> None:
    """Where the caller gives Axes, the heatmap is drawn in these, and they are returned."""
    for passed in ("by place", "by name"):
        weights, tokens, ours = _weights(draw, 6), words(draw, 6), student.new_axes()
        if passed == "by place":
            drawn = axes_of(student.plot_attention(weights, tokens, ours))
        else:
            drawn = axes_of(student.plot_attention(weights, tokens, ax=ours))
        shown = student.drawn_in(ours)
        if not isinstance(shown, DrawnAxes) or shown.mesh is None:
            raise Wrong("The Axes that the caller gave are still empty.")
        if drawn.mesh is None or drawn.mesh.shape != shown.mesh.shape:
            raise Wrong("Other Axes come back than those that were drawn in.")
        alone = axes_of(student.plot_attention(weights, tokens))
        if _furniture(shown) != _furniture(alone):
            raise Wrong("Axes that the caller gave get other labels, or no bar, than your own do.")


@exercise("plot_attention")
@pytest.mark.points(0.5, "form")
def test_without_axes_a_new_figure_is_made(student: Any, draw: Draw) -> None:
    """Where the caller gives no Axes, the heatmap stands in a figure that was not there before."""
    before = student.new_axes()
    axes_of(student.plot_attention(_weights(draw, 4), words(draw, 4)))
    figure = student.figure_of(before)
    if not isinstance(figure, DrawnFigure) or any(one.mesh is not None for one in figure.axes):
        raise Wrong("You draw in a figure that was there before; a new one was promised.")


@exercise("plot_attention")
@pytest.mark.points(1, "generality")
def test_weights_of_any_kind_can_be_drawn(student: Any, draw: Draw) -> None:
    """Weights of any floating dtype, on any device, with or without a gradient, are drawn."""
    for dtype in (torch.float64, torch.float16, torch.bfloat16):
        weights = _weights(draw, 5).to(dtype)
        assert_drawn(axes_of(student.plot_attention(weights, words(draw, 5))), weights, close=HALF)
    weights = _weights(draw, 4)
    found = student.grad("plot_attention", weights, words(draw, 4), upstream=torch.ones(1))
    assert_drawn(axes_of(found.value), weights)
    if not copied_to_cpu(lambda: student.plot_attention(weights.to("meta"), words(draw, 4))):
        raise Wrong("Weights on a GPU are not copied to the CPU, where Matplotlib draws.")


@exercise("plot_attention")
@pytest.mark.points(0.5, "errors")
def test_tokens_that_do_not_fit_are_refused(student: Any, draw: Draw) -> None:
    """Too few or too many tokens raise ValueError, whose text names both numbers."""
    for seq, count in ((6, 5), (4, 9)):
        assert_refused(
            lambda seq=seq, count=count: student.plot_attention(
                _weights(draw, seq), words(draw, count)
            ),
            seq,
            count,
        )


@exercise("plot_attention")
@pytest.mark.points(0.5, "generality")
def test_drawing_leaves_the_weights_as_they_were(student: Any, draw: Draw) -> None:
    """The weights and the tokens that are passed in are the same afterwards."""
    for weights in (_weights(draw, 5), _weights(draw, 4).double()):
        axes_of(student.plot_attention(weights, words(draw, len(weights))))
        if student.changed_inputs:
            raise Wrong("Your code changes the weights or the tokens that it was given.")


@exercise("compare_attention")
@pytest.mark.points(2, "values")
def test_the_left_map_shares_out_over_all_keys(student: Any, draw: Draw) -> None:
    """Left, each query's weights are the softmax of all its scores."""
    for seq in SIZES:
        scores = draw.normal(seq, seq, scale=2.0)
        left, _ = two_axes_of(student.compare_attention(scores, words(draw, seq)))
        assert_shows(left, scores.softmax(dim=-1), "Your left heatmap")


@exercise("compare_attention")
@pytest.mark.points(3, "masking")
def test_the_right_map_shares_out_over_the_past(student: Any, draw: Draw) -> None:
    """Right, each query shares out 1 over the keys up to itself, and nothing after."""
    for seq in SIZES:
        scores = draw.normal(seq, seq, scale=2.0)
        _, right = two_axes_of(student.compare_attention(scores, words(draw, seq)))
        assert_shows(right, _causal(scores), "Your right heatmap")
    scores = draw.normal(5, 5)
    scores[0, 0] = scores[3, 1] = 0.0  # a score like any other
    _, right = two_axes_of(student.compare_attention(scores, words(draw, 5)))
    assert_shows(right, _causal(scores), "Your right heatmap")


@exercise("compare_attention")
@pytest.mark.points(1, "form")
def test_titles_tell_the_maps_apart(student: Any, draw: Draw) -> None:
    """The left title says "bidirectional", the right one "causal"."""
    left, right = two_axes_of(student.compare_attention(draw.normal(5, 5), words(draw, 5)))
    for side, drawn, word in (("left", left, "bidirectional"), ("right", right, "causal")):
        if word not in drawn.title.lower():
            raise Wrong(f'The title of the {side} heatmap does not say "{word}".')


@exercise("compare_attention")
@pytest.mark.points(0.5, "form")
def test_both_maps_carry_the_tokens(student: Any, draw: Draw) -> None:
    """Both heatmaps have the tokens at their rows and columns."""
    for seq in (6, MANY):
        scores, tokens = draw.normal(seq, seq), words(draw, seq)
        left, right = two_axes_of(student.compare_attention(scores, tokens))
        assert_named(left, tokens, scores.softmax(dim=-1), "Your left heatmap")
        # One y axis may serve both.
        if row_names(right) != [""] * seq or column_names(right) != tokens:
            assert_named(right, tokens, _causal(scores), "Your right heatmap")


@exercise("compare_attention")
@pytest.mark.points(0.5, "form")
def test_both_maps_are_drawn_as_one_is(student: Any, draw: Draw) -> None:
    """Both maps have colours from 0 to 1, a colour bar and named axes, as plot_attention draws."""
    left, right = two_axes_of(student.compare_attention(draw.normal(5, 5), words(draw, 5)))
    for drawn in (left, right):
        if drawn.mesh_limits is None or not _near(drawn.mesh_limits, (0.0, 1.0)):
            raise Wrong("The colours of your two maps do not both run from 0 to 1.")
        if not drawn.colorbar:
            raise Wrong("No colour bar tells what the colours of your maps mean.")
    beside = right.ylabel or left.ylabel  # one y axis may serve both
    for across, down in ((left.xlabel, left.ylabel), (right.xlabel, beside)):
        if "key" not in across.lower() or "quer" not in down.lower():
            raise Wrong(
                "Some axes of your two maps do not say that they are the keys' or queries'."
            )


@exercise("compare_attention")
@pytest.mark.points(0.5, "numerics")
def test_large_scores_leave_no_holes(student: Any, draw: Draw) -> None:
    """Scores far above and below 0 give the right weights in both maps, without NaN."""
    loud = loud_future((64 * draw.normal(6, 6)).round() / 64)
    for scores in (1e4 * draw.normal(5, 5, dtype=torch.float64), loud):
        maps = two_axes_of(student.compare_attention(scores, words(draw, len(scores))))
        # exp(scores - logsumexp) rounds so far, which no reader of a heatmap sees.
        assert_shows(maps[0], scores.softmax(dim=-1), "Your left heatmap", close=0.01)
        assert_shows(maps[1], _causal(scores), "Your right heatmap", close=0.01)


@exercise("compare_attention")
@pytest.mark.points(0.5, "generality")
def test_the_scores_are_left_as_they_were(student: Any, draw: Draw) -> None:
    """The scores that are passed in are the same afterwards."""
    for scores in (draw.normal(5, 5), draw.normal(4, 4)):
        two_axes_of(student.compare_attention(scores, words(draw, len(scores))))
        if student.changed_inputs:
            raise Wrong("Your code changes the scores or the tokens that it was given.")


@exercise("compare_attention")
@pytest.mark.points(0.5, "form")
def test_the_figure_is_a_new_one(student: Any, draw: Draw) -> None:
    """The maps stand in a figure of their own, not in one that was there before."""
    for _ in range(2):
        student.new_axes()  # where `plt.gcf()` would draw
        found = student.compare_attention(draw.normal(4, 4), words(draw, 4))
        if isinstance(found, DrawnFigure) and len(found.axes) > 2:
            raise Wrong("You draw in a figure that was there before; a new one was promised.")
        two_axes_of(found)


def assert_refused(call: Any, *numbers: int) -> None:
    """Check that a call raises ValueError and that its text names the numbers."""
    try:
        call()
    except (MissingName, StudentDied):
        raise
    except StudentError as error:
        if error.builtin != "ValueError":
            raise Wrong("What does not fit raises another error than ValueError.") from None
        if not all(str(number) in error.message for number in numbers):
            raise Wrong("The error's text does not name both numbers.") from None
        return
    raise Wrong("Tokens that do not fit are accepted in silence.")


def _furniture(drawn: DrawnAxes) -> tuple[object, ...]:
    """What stands around a map."""
    return row_names(drawn), column_names(drawn), drawn.xlabel, drawn.ylabel, drawn.colorbar


def _weights(draw: Draw, seq: int) -> Tensor:
    return draw.normal(seq, seq, scale=1.5).softmax(dim=-1)


def _causal(scores: Tensor) -> Tensor:
    future = torch.ones_like(scores, dtype=torch.bool).triu(1)
    return scores.masked_fill(future, -math.inf).softmax(dim=-1)


def _near(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return all(abs(a - b) < 1e-9 for a, b in zip(one, other, strict=True))
