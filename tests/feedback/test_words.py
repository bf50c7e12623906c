"""Text on its way to a page, and the colours it has there."""

import pytest

from autograder.checks.kit.shades import contrast
from autograder.feedback.palette import PALETTE
from autograder.feedback.words import bounded, number, points, prose, sentence


@pytest.mark.parametrize("pair", PALETTE.pairs())
def test_every_text_colour_is_legible_on_its_ground(pair):
    assert contrast(*pair) >= 4.5


def test_contrast_of_known_pairs():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize(
    "text", ["a" * 10_000, "e\u0301" * 10_000, "\u0335" * 10_000, "\x00" * 10_000]
)
def test_no_text_is_longer_than_its_bound(text):
    assert len(bounded(text, 100)) <= 101


@pytest.mark.parametrize("text", ["short", "two\nlines", "naïve", "שלום", "👩‍🔬", "e\u0301", ""])
def test_ordinary_text_stays_as_it_is(text):
    assert bounded(text, 100) == text


def test_a_cut_shows():
    assert bounded("a" * 11, 10) == "a" * 9 + "…"


@pytest.mark.parametrize(
    ("value", "text"),
    [(2.0, "2"), (0.5, "0.5"), (4 / 3, "1.33"), (0.0, "0"), (10.0, "10"), (100, "100")],
)
def test_numbers_read_as_a_person_writes_them(value, text):
    assert number(value) == text


def test_one_point_is_singular():
    assert (points(1), points(1.0001), points(0.5)) == ("1 point", "1 point", "0.5 points")


def test_backticks_become_code_and_the_rest_is_escaped():
    assert prose("use `a<b>` & <i>") == "use <code>a&lt;b&gt;</code> &amp; &lt;i&gt;"
    assert prose("a lone ` stays") == "a lone ` stays"


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("it is wrong", "It is wrong."),
        ("Which axis?", "Which axis?"),
        ("`x` is off", "`x` is off."),
    ],
)
def test_a_symptom_reads_as_a_sentence(text, read):
    assert sentence(text) == read
