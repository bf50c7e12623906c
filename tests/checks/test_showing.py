"""The table that students see: its cells hold what was found, escaped, and columns stay aligned."""

import re

import numpy as np
import pytest
import torch

from autograder.checks.kit.describing import argument_text, result_text
from autograder.checks.kit.errors import StudentError
from autograder.checks.kit.expectation import Mismatch, expect
from autograder.checks.kit.running import Finding
from autograder.checks.kit.showing import _as_html, as_text, without_marks

PASSED = Finding("There is `qkv`.", True, "f(3)", "[[1 2]\n [3 4]]")
FAILED = Finding("1 < 2.", False, "f('<b>')", "cpu", "meta", "Is `a < b`?")
PAGE = _as_html("f: 1 of 2 checks pass. Write `f`.", [PASSED, FAILED], None)


def rows_of(page):
    return re.findall("<tr.*?</tr>", page, re.DOTALL)


def test_a_passed_finding_has_two_rows_and_a_failed_one_a_third_with_advice():
    assert len(rows_of(_as_html("", [PASSED], None))) == 2 + 2
    assert len(rows_of(_as_html("", [FAILED], None))) == 2 + 3
    assert "➜" in rows_of(PAGE)[-1]


def test_every_row_fills_the_four_columns():
    reaching_down = 0  # rows that the cell in the first column still covers
    for row in rows_of(PAGE):
        spans = [
            {key: int(number) for key, number in re.findall(r'(colspan|rowspan)="(\d+)"', cell)}
            for cell in re.findall("<t[hd][^>]*>", row)
        ]
        width = sum(span.get("colspan", 1) for span in spans)
        assert width + (reaching_down > 0) == 4
        reaching_down = max(reaching_down - 1, *(span.get("rowspan", 1) - 1 for span in spans))
    assert reaching_down == 0


def test_what_students_wrote_is_escaped():
    assert "<b>" not in PAGE
    assert "f(&#x27;&lt;b&gt;&#x27;)" in PAGE


def test_backticks_become_code_in_prose():
    for code in ("qkv", "a &lt; b", "f"):
        assert f"<code>{code}</code>" in PAGE
    assert "`" not in PAGE


def test_a_grid_of_numbers_keeps_its_lines_and_a_call_may_wrap():
    assert re.search(r'white-space:pre">\[\[1 2\]\n \[3 4\]\]<', PAGE)
    assert re.search(r'white-space:pre-wrap">f\(3\)<', PAGE)


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
