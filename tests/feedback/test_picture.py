"""Pictures of a student's own result."""

import base64
import io

import numpy as np
import pytest
from PIL import Image
from samples import EXAMPLE, MODULE, picture, weights

from autograder.feedback import picture as drawing
from autograder.feedback.picture import draw
from autograder.verdicts.verdict import Picture


@pytest.fixture
def drawn(monkeypatch):
    calls = []

    def count(self, result, ax):
        calls.append(result)
        original(self, result, ax)

    original = type(EXAMPLE.picture).draw
    monkeypatch.setattr(type(EXAMPLE.picture), "draw", count)
    return calls


def test_a_result_becomes_a_sharp_png_with_its_words():
    found = draw(MODULE, "attention_weights", weights(1))
    assert found is not None
    assert found.source is not None
    image = Image.open(io.BytesIO(base64.b64decode(found.source.partition(",")[2])))
    assert image.format == "PNG"
    assert image.size == (2 * found.width, 2 * found.height)
    assert "4 queries by 5 keys" in found.alt


def test_equal_results_are_drawn_once(drawn):
    first = draw(MODULE, "attention_weights", weights(1))
    assert draw(MODULE, "attention_weights", weights(1)) is first
    assert len(drawn) == 1
    draw(MODULE, "attention_weights", weights(0))
    assert len(drawn) == 2


def test_results_that_differ_by_rounding_are_drawn_once(drawn):
    exact = weights(1)
    noisy = Picture(exact.shape, tuple(value * (1 + 1e-12) + 1e-15 for value in exact.values))
    assert draw(MODULE, "attention_weights", exact) is draw(MODULE, "attention_weights", noisy)
    assert len(drawn) == 1


@pytest.mark.parametrize("bad", [np.nan, np.inf, -np.inf, 1e308, 5e-324])
def test_results_that_are_not_finite_or_extreme_are_drawn_once(drawn, bad):
    values = picture([[bad, 0.5], [0.5, bad]])
    first = draw(MODULE, "attention_weights", values)
    assert first is not None
    assert draw(MODULE, "attention_weights", values) is first
    assert len(drawn) == 1


def test_a_wrong_shape_is_told():
    found = draw(MODULE, "attention_weights", picture(np.zeros((2, 3, 4))))
    assert found is not None
    assert found.source is None
    assert "(2, 3, 4)" in found.alt


@pytest.mark.parametrize("shape", [(), (0,), (7,), (0, 3)])
def test_odd_shapes_never_stop_the_feedback(shape):
    assert draw(MODULE, "attention_weights", picture(np.zeros(shape))) is not None


def test_values_that_do_not_fill_their_shape_are_told():
    found = draw(MODULE, "attention_weights", Picture((5, 5), (1.0,)))
    assert found is not None
    assert found.source is None


def test_an_exercise_without_a_picture_has_none():
    assert draw(MODULE, "q1", weights(1)) is None


def test_pictures_leave_no_figure_in_pyplot():
    import matplotlib.pyplot as plt

    before = plt.get_fignums()
    draw(MODULE, "attention_weights", weights(1))
    assert plt.get_fignums() == before


def test_the_cache_holds_a_class_and_no_more():
    assert drawing._draw.cache_parameters()["maxsize"] == 512
