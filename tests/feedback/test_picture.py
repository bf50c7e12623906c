"""Pictures of a student's own result, as a table that a page shows."""

import subprocess
import sys

import matplotlib
import numpy as np
import pytest
from samples import HEATMAP, picture, weights

from autograder.checks.kit.pictures import Bars
from autograder.checks.kit.shades import BAD, SCALES, colour, contrast
from autograder.feedback.picture import Cell, draw
from checks.attention_vs_recurrence import PairTable
from checks.mask_pictures import AllowedGrid

SHADES = [hundredth / 100 for hundredth in range(101)]
BARS = Bars("costs(n)", ("one", "two", "three"), "n", "seconds")

IN_A_FRESH_PROCESS = """
import json, sys
from autograder.course.reveal import Reveal
from autograder.feedback import render_exercise
from autograder.verdicts.verdict import ExerciseVerdict
verdict = ExerciseVerdict.from_json(json.loads(sys.stdin.read()))
assert "<table" in render_exercise(verdict, reveal=Reveal())
heavy = {name.partition(".")[0] for name in sys.modules} & {"torch", "numpy", "matplotlib"}
checks = {name for name in sys.modules if name.startswith("autograder.checks.")}
print(sorted(heavy), sorted(checks & set(json.loads(sys.argv[1]))))
"""


def grounds_and_inks(drawing):
    styles = [cell.style for row in drawing.rows for cell in row.cells]
    return [
        [part.partition(":")[2] for part in style.split(";")]
        for style in styles
        if "background" in style
    ]


@pytest.mark.parametrize("scale", SCALES)
def test_colours_are_those_of_matplotlib(scale):
    for shade in SHADES:
        theirs = matplotlib.colormaps[scale](shade)
        ours = colour(shade, scale)
        for at, channel in zip((1, 3, 5), theirs[:3], strict=True):
            assert abs(int(ours[at : at + 2], 16) - 255 * channel) <= 11


@pytest.mark.parametrize("scale", SCALES)
def test_colours_grow_lighter_with_the_shade_so_that_they_are_told_apart_in_grey(scale):
    on_black = [contrast(colour(shade, scale), "#000000") for shade in SHADES]
    assert on_black == sorted(on_black)
    assert on_black[-1] / on_black[0] > 9


@pytest.mark.parametrize("shade", [-3.0, 0.0, 0.999999, 1.0, 7.0])
def test_no_shade_is_without_a_colour(shade):
    assert len(colour(shade, "cividis")) == 7


@pytest.mark.parametrize("values", [np.linspace(0, 1, 400).reshape(20, 20), [[np.nan, np.inf, 1]]])
def test_numbers_can_be_read_on_every_colour(values):
    found = grounds_and_inks(draw(picture(values)))
    assert found
    assert all(contrast(ground, ink) >= 4.5 for ground, ink in found)


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf])
def test_what_is_no_finite_number_is_grey(bad):
    first, second = draw(picture([[bad, 0.5]])).rows[0].cells
    assert (first.text, f"background:{BAD}" in first.style) == (str(bad), True)
    assert f"background:{BAD}" not in second.style


@pytest.mark.parametrize("values", [[[1e308, -1e308]], [[5e-324, 0.0]], [[1e308, 5e-324]]])
def test_extreme_numbers_take_the_ends_of_the_scale(values):
    grounds = {ground for ground, _ in grounds_and_inks(draw(picture(values)))}
    assert grounds == {SCALES["cividis"][0], SCALES["cividis"][-1]}


def test_rows_have_their_names_and_sums():
    drawing = draw(weights(1))
    assert [row.name for row in drawing.rows] == ["The", "cat", "sat", "down"]
    assert [row.sum for row in drawing.rows] == ["1.00"] * 4


def test_a_mask_says_yes_and_no():
    drawing = draw(AllowedGrid("mask(2)", ("a", "b"), ("a", "b")).chart(np.tri(2)))
    assert [[cell.text for cell in row.cells] for row in drawing.rows] == [
        ["yes", "no"],
        ["yes", "yes"],
    ]


def test_bars_are_as_long_as_their_numbers():
    cells = [row.cells for row in draw(BARS.chart(np.array([1.0, 2.0, 4.0]))).rows]
    assert cells == [
        (Cell("1.00", "width:25%"),),
        (Cell("2.00", "width:50%"),),
        (Cell("4.00", "width:100%"),),
    ]


def test_bars_below_zero_go_the_other_way_and_nan_has_none():
    cells = [row.cells[0].style for row in draw(BARS.chart(np.array([-1.0, 3.0, np.nan]))).rows]
    assert cells == ["width:25%", "margin-left:25%;width:75%", "margin-left:25%;width:0%"]


def test_the_pair_that_is_asked_for_is_framed():
    table = PairTable("recall_batch()", num_values=4)
    (row,) = draw(table.chart(np.array([[4, 9, 2, 2, 1]]))).rows
    assert [(cell.text, cell.framed) for cell in row.cells] == [
        ("k1 v0", False),
        ("k2 v1", True),
        ("k0 v2", False),
        ("k2, v1", False),
    ]


@pytest.mark.parametrize(
    ("values", "lines_up"),
    [([[0.5, 0.25]], False), ([[0.5, -0.5]], True), ([[1e9, 1]], True), ([[np.nan, 1]], True)],
)
def test_numbers_of_several_lengths_line_up(values, lines_up):
    assert draw(picture(values)).lines_up is lines_up


def test_texts_of_several_lengths_do_not():
    assert not draw(AllowedGrid("mask(2)", ("a",), ("a",)).chart(np.tri(2))).lines_up


@pytest.mark.parametrize("shape", [(), (0,), (7,), (0, 3), (2, 3, 4)])
def test_a_result_of_another_shape_is_told_in_words(shape):
    found = draw(HEATMAP.chart(np.zeros(shape)))
    assert found.rows == ()
    assert str(shape) in found.words


def test_a_verdict_is_shown_without_torch_numpy_matplotlib_or_any_checks():
    from json import dumps

    from autograder.checks.kit.discovery import modules_with_checks
    from autograder.verdicts.verdict import ExerciseVerdict

    verdict = ExerciseVerdict("attention_weights", 2, (), picture=weights(1))
    checks = [module.__name__ for module in modules_with_checks()]
    assert "checks.causal_masking" in checks
    done = subprocess.run(
        [sys.executable, "-c", IN_A_FRESH_PROCESS, dumps(checks)],
        input=dumps(verdict.to_json()),
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout.strip(), done.returncode) == ("[] []", 0), done.stderr
