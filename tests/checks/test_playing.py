"""Pictures that move, where ipywidgets is installed; still ones where not; and their words."""

import re
import subprocess
import sys
from html import unescape
from itertools import product

import pytest
from matplotlib import pyplot

from autograder.checks.kit import playing, showing
from autograder.checks.kit.discovery import modules_with_checks
from autograder.checks.kit.moving import Slider, pictures
from autograder.checks.kit.svg import INK

modules_with_checks()  # importing them registers their pictures
NAMES = sorted(pictures)


def labels(html):
    """What the pictures of a page say to those who do not see them."""
    return [unescape(label) for label in re.findall(r'role="img" aria-label="([^"]*)"', html)]


@pytest.fixture
def shown(monkeypatch):
    """What a notebook would be handed."""
    handed = []
    monkeypatch.setattr(showing, "in_notebook", lambda: True)
    monkeypatch.setattr(showing, "present", lambda text, rich: handed.append((text, rich)))
    return handed


def test_there_are_pictures_to_play_with():
    assert {"scale", "query", "window", "tiles"} <= set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_without_ipywidgets_still_pictures_stand_in_a_row(name, shown, monkeypatch):
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    playing.play(name)
    [(text, rich)] = shown
    assert rich.keys() == {"text/html"}
    picture = pictures[name]
    words = [picture.frame(**chosen).words for chosen in picture.stills]
    assert labels(rich["text/html"]) == words
    assert len(set(words)) == len(words) >= 3
    assert playing.HOW_TO_MOVE in rich["text/html"]
    assert all(one in text for one in words)


@pytest.mark.parametrize("name", NAMES)
def test_with_ipywidgets_a_picture_follows_each_of_its_controls(name):
    picture = pictures[name]
    row, shown = playing.as_widget(picture).children
    assert len(row.children) == len(picture.controls)
    for control, widget in zip(picture.controls, row.children, strict=True):
        value = next(one for one in control.values[::-1] if one != widget.value)
        widget.value = value
        chosen = {one.name: w.value for one, w in zip(picture.controls, row.children, strict=True)}
        assert chosen[control.name] == value
        frame = picture.frame(**chosen)
        assert labels(shown.value) == [frame.words]
        assert unescape(shown.value).endswith(f"{frame.says}</p>")


def test_a_page_without_ipywidgets_shows_the_still_pictures_of_a_kernel_that_has_them(shown):
    playing.play("tiles")
    [(_, rich)] = shown
    assert {"application/vnd.jupyter.widget-view+json", "text/html"} <= rich.keys()
    assert len(labels(rich["text/html"])) == len(pictures["tiles"].stills)


@pytest.mark.parametrize("name", NAMES)
def test_every_choice_has_words_of_its_own_and_a_sentence(name):
    picture = pictures[name]
    names = [control.name for control in picture.controls]
    for values in product(*(control.values for control in picture.controls)):
        frame = picture.frame(**dict(zip(names, values, strict=True)))
        assert frame.says.endswith(".")
        assert len(frame.says) < 200
        assert "nan" not in f"{frame.words} {frame.says}"


@pytest.mark.parametrize("name", NAMES)
def test_what_a_picture_can_be_set_to_is_in_order_and_all_different(name):
    for control in pictures[name].controls:
        assert len(set(control.values)) == len(control.values) > 1
        assert len(set(map(control.text, control.values))) == len(control.values)
        if isinstance(control, Slider):
            assert list(control.values) == sorted(control.values)
    for chosen in pictures[name].stills:
        assert all(chosen[control.name] in control.values for control in pictures[name].controls)


@pytest.mark.parametrize("name", NAMES)
def test_the_ink_is_the_pages_whatever_style_a_notebook_has_set(name):
    open_before = pyplot.get_fignums()
    frame = pictures[name].frame(**pictures[name].stills[0])
    plain = playing.as_html(frame)
    with pyplot.style.context("dark_background"):
        styled = playing.as_html(frame)
    for html in (plain, styled):
        assert "currentColor" in html
        assert INK not in html
        assert '"fill: #ffffff"' not in html  # the ground of a figure or of its axes
        assert "<style" not in html  # would hold for the whole page
        assert " id=" not in re.sub(r"<(path|clipPath) id=", "", html)
    assert pyplot.get_fignums() == open_before


def test_a_picture_that_is_not_there_is_told_with_those_that_are():
    with pytest.raises(
        ValueError, match=r"no picture 'tilse' to play with here.*query, scale, til"
    ):
        playing.play("tilse")


def test_a_terminal_gets_the_words_and_draws_nothing():
    code = (
        "from autograder.course.own_code import serve; from pathlib import Path\n"
        "serve(Path.cwd())\n"
        "from autograder.checks.kit.playing import play\n"
        "play('window'); import sys; assert 'matplotlib' not in sys.modules"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.count("Two tables of six queries by six keys.") == 4
