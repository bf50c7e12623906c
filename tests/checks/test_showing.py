"""The report that students see: what helps first, values side by side, all of it escaped."""

import re

import numpy as np
import pytest
import torch

from autograder.checks.kit.describing import argument_text, result_text
from autograder.checks.kit.errors import StudentError
from autograder.checks.kit.expectation import Mismatch, expect
from autograder.checks.kit.report import report_page
from autograder.checks.kit.report_style import _DARK, _LIGHT
from autograder.checks.kit.running import Finding
from autograder.checks.kit.shades import contrast
from autograder.checks.kit.showing import as_text, without_marks

PASSED = Finding("There is `qkv`.", True, "f(3)", "[[1 2]\n [3 4]]")
FAILED = Finding("1 < 2.", False, "f('<b>')", "cpu", "meta", "Is `a < b`?")
PAGE = report_page("f: 1 of 2 checks pass. Write `f`.", [PASSED, FAILED], None, 'hint("f")')


def test_what_helps_stands_first_and_what_passed_is_folded_to_a_line():
    says, claim, values, passed = (
        PAGE.index(part)
        for part in (
            "Is <code>a &lt; b</code>?",
            "1 &lt; 2.",
            "f(&#x27;&lt;b&gt;&#x27;)",
            "<details>",
        )
    )
    assert says < claim < values < passed
    assert PAGE.count("<details>") == 1
    summary = re.search("<summary>(.*?)</summary>", PAGE)[1]
    assert "✓" in summary
    assert "There is <code>qkv</code>." in summary


def test_outcomes_differ_in_colour_and_in_sign():
    assert '<span class="cr-failed">✗ not yet:</span>' in PAGE
    assert '<span class="cr-passed">✓</span>' in PAGE
    assert '<p class="cr-head cr-failed">✗ ' in PAGE
    assert '<p class="cr-head cr-passed">✓ ' in report_page("f: 1 of 1.", [PASSED], None)


def test_a_sentence_is_not_said_twice():
    page = report_page("f", [FAILED, FAILED], None)
    assert page.count("Is <code>a &lt; b</code>?") == 1
    assert page.count("✗ not yet:") == 2


def test_what_differs_is_marked_on_both_sides_in_columns_of_one_width():
    wanted = torch.eye(3) / 3
    found = wanted.clone()
    found[1, 2] = -0.25
    with pytest.raises(Mismatch) as told:
        expect(found, wanted, "(queries, keys)")
    finding = Finding("It is so.", False, "f()", "", "", "Look.", compared=told.value.compared)
    came, expected = re.findall("<pre>(.*?)</pre>", report_page("f", [finding], None), re.DOTALL)
    assert came.splitlines()[1] == " 0.0000   0.3333  <mark>-0.2500</mark>"
    assert expected.splitlines()[1] == " 0.0000   0.3333   <mark>0.0000</mark>"
    assert (came + expected).count("<mark>") == 2


def test_of_many_numbers_those_around_the_first_difference_are_compared():
    found = torch.zeros(2, 3, 20, 30)
    found[1, 2, 10, 29] = 12_344_000
    with pytest.raises(Mismatch) as told:
        expect(found, (found * 0.9995).round(), "(...)")
    compared = told.value.compared
    assert compared.part == "[1, 2, 8:16, 22:30]"
    assert compared.differs[2][-1]
    assert sum(map(sum, compared.differs)) == 1
    assert (compared.came_back[2][-1], compared.expected[2][-1]) == ("1.2344e+07", "1.23378e+07")


@pytest.mark.parametrize(
    ("found", "wanted", "came"),
    [
        (torch.tensor(3.0), torch.tensor(2.0), (("3",),)),
        (torch.tensor([True, True]), torch.tensor([True, False]), (("True", "True"),)),
        (torch.tensor([1e9, 0.0]), torch.tensor([1.0, 0.0]), (("1e+09", "0"),)),
        (torch.tensor([torch.nan, 0.5]), torch.tensor([1.0, 0.5]), (("nan", "0.5000"),)),
    ],
    ids=["no axes", "truth values", "huge", "nan"],
)
def test_numbers_of_every_kind_are_compared(found, wanted, came):
    with pytest.raises(Mismatch) as told:
        expect(found, wanted, "()")
    assert told.value.compared.came_back == came
    assert told.value.compared.part == ""


def test_what_students_wrote_is_escaped():
    assert "<b>" not in PAGE
    assert "f(&#x27;&lt;b&gt;&#x27;)" in PAGE


def test_backticks_become_code_in_prose():
    for code in ("qkv", "a &lt; b", "f", "hint(&quot;f&quot;)"):
        assert f"<code>{code}</code>" in PAGE
    assert "`" not in PAGE


def test_a_grid_of_numbers_keeps_its_lines_and_a_call_may_wrap():
    assert "<pre>[[1 2]\n [3 4]]</pre>" in PAGE
    assert '<pre class="cr-wraps">f(3)</pre>' in PAGE


def test_every_colour_can_be_read_on_its_ground_in_light_and_in_dark():
    for theme in (_LIGHT, _DARK):
        colours = dict(re.findall("--([a-z]+):(#[0-9a-f]+)", theme))
        paper = {"#fff": "#ffffff"}.get(colours["paper"], colours["paper"])
        for ink in ("ink", "muted", "passed", "failed"):
            assert contrast(colours[ink], paper) >= 4.5, (ink, theme)
        for ground in ("tint", "wrong", "right"):
            assert contrast(colours["ink"], colours[ground]) >= 4.5, (ground, theme)


def test_plain_text_says_the_same():
    text = as_text("f", [PASSED, FAILED], None)
    for said in ("✓ passed", "✗ not yet", "1 < 2.", "f('<b>')", "Is `a < b`?"):
        assert said in text


@pytest.mark.parametrize("wrong", [7.0, float("nan")])
def test_numbers_that_begin_alike_are_told_where_they_first_differ(wrong):
    found = torch.ones(5, 6)
    found[3, 2] = wrong
    with pytest.raises(Mismatch) as told:
        expect(found, torch.ones(5, 6), "(queries, keys)")
    assert told.value.came_back.endswith(f"\nfirst to differ, at (3, 2): {wrong:g}")
    assert told.value.expected.endswith("\nat (3, 2): 1")


def test_masks_that_begin_alike_are_told_where_they_first_differ():
    nothing, corner = torch.zeros(6, 6).bool(), torch.zeros(6, 6).bool()
    corner[5, 0] = True
    with pytest.raises(Mismatch) as told:
        expect(nothing, corner, "(queries, keys)")
    assert told.value.came_back.endswith("at (5, 0): False")
    assert told.value.expected.endswith("at (5, 0): True")


def test_a_huge_number_is_told_in_a_few_digits():
    assert argument_text(torch.tensor([1e30, 0.123456])) == "[1e+30, 0.1235]"
    assert argument_text(torch.tensor(-torch.inf)) == "-inf"


def test_stars_go_in_a_terminal_and_stay_in_code():
    told = without_marks("**Hint for `a**b`:** *see* 3 * 4\n\n```python\nf(**x, y=2*3)\n```")
    assert told == "Hint for `a**b`: see 3 * 4\n\n```python\nf(**x, y=2*3)\n```"


def test_stars_of_a_power_stay_in_a_terminal():
    told = without_marks("**k1.** A MiB is 2**20 bytes, *half* of 2**21; 3*4 is 12. **Why?**")
    assert told == "k1. A MiB is 2**20 bytes, half of 2**21; 3*4 is 12. Why?"


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (np.zeros(24), None),
        (torch.full((5, 5), 0.25), "tensor, shape (5, 5), float32\nbegins [0.25 0.25 0.25 0.25]"),
        (torch.zeros(9, 9, device="meta"), "tensor, shape (9, 9), float32, on meta"),
        (StudentError("AssertionError", ""), "AssertionError"),
    ],
    ids=["few numbers", "many numbers", "no numbers", "error without text"],
)
def test_a_result_is_told_by_its_numbers_or_by_form_and_first_numbers(value, text):
    told = result_text(value)
    assert told == text if text is not None else told.count("0.") == 24
