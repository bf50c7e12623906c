"""`--summary`: what a class got, on a page that GitHub shows."""

from dataclasses import replace
from typing import Any

import mistune
import pytest

from autograder.commands.summary import as_summary, code
from autograder.verdicts import ExerciseVerdict, SubmissionVerdict, TestResult
from autograder.verdicts.contract import as_contract
from autograder.verdicts.totals import automatic

RIGHT = TestResult("shape", "The shape.", "passed", 1.0, "cpu")
WRONG = TestResult("values", "The values.", "failed", 2.0, "cpu", "it is transposed")
WAITS = TestResult("fused", "On a GPU.", "pending", 1.0, "cuda")
MASK = ExerciseVerdict(
    "causal_mask", 4.0, (RIGHT, WRONG, WAITS), misconceptions=("mask-transposed",)
)
ADA = SubmissionVerdict("ada", "x", (MASK,))
LIMIT = 1 << 20  # bytes that GitHub takes


def summary(*verdicts: SubmissionVerdict) -> str:
    return as_summary(as_contract(verdicts, [automatic(one) for one in verdicts], "cpu"))


def tables(text: str) -> list[list[list[str]]]:
    """The tables of a page as Markdown programs read them: rows of cells, as plain text."""
    parse = mistune.create_markdown(renderer=None, plugins=["table", "url"])
    parsed: Any = parse(text)

    def plain(token: dict[str, Any]) -> str:
        assert token["type"] != "link"
        return token.get("raw", "") + "".join(map(plain, token.get("children", ())))

    return [
        [[plain(cell) for cell in row["children"]] for row in part["children"]]
        for table in parsed
        if table["type"] == "table"
        for part in table["children"]
        if part["type"] == "table_body"
    ]


def test_marks_and_what_waits_stand_beside_each_student() -> None:
    ben = replace(ADA, student="ben", exercises=(replace(MASK, tests=(RIGHT,), max_points=1.0),))
    text = summary(ADA, ben)
    assert "2 graded, 0 ungraded, 1 points pending" in text
    assert "| <code>ada</code> | <code>x</code> | 1 / 4 | 1 | " in text
    assert "| <code>ben</code> | <code>x</code> | 1 / 1 |  |  |" in text


def test_what_was_not_tried_is_counted_and_a_bonus_left_out_is_not() -> None:
    unwritten = replace(WRONG, symptom="your code raised NotImplementedError")
    blank = ExerciseVerdict("kernel", 2.0, (unwritten,))
    more = (MASK, blank, replace(blank, exercise="x"), replace(blank, exercise="y", bonus=True))
    row = summary(replace(ADA, exercises=more)).splitlines()[-1]
    assert row.endswith("| <code>causal&#95;mask&#44; mask-transposed</code> 2 not tried |")


def test_what_was_not_graded_is_told_with_its_reason() -> None:
    text = summary(ADA, SubmissionVerdict("ben", "x", (), "bad_notebook", "no JSON"))
    assert "1 graded, 1 ungraded" in text
    assert (
        "| <code>ben</code> | <code>x</code> | <code>bad&#95;notebook</code> <code>no JSON</code>"
        in text
    )
    assert "| <code>ben</code> | <code>x</code> | ungraded |" in text


def test_a_fault_of_ours_is_told_apart() -> None:
    broken = replace(MASK, reason="grader_error", detail="KeyError")
    text = summary(replace(ADA, exercises=(broken,)))
    assert "failed by itself in 1 submissions" in text
    assert "| 0 / 4 | 4 |  |" in text  # it waits, and is not wrong


def test_misconceptions_are_listed_by_how_many_students_have_them() -> None:
    rare = replace(MASK, misconceptions=("no-scale",))
    text = summary(ADA, replace(ADA, student="ben"), replace(ADA, student="cy", exercises=(rare,)))
    common, by_student = tables(text)
    assert [row[-1] for row in common] == ["2", "1"]
    assert len(by_student) == 3


@pytest.mark.parametrize(
    "hostile",
    [
        "a | b \\| c",
        "`a` ``|``",
        "<img src=x onerror=alert(1)>",
        "[x](javascript:1)",
        "https://evil.example www.evil.example @everyone #1",
        "a\n\n# b\n|c|",
        "\x1b[31m\u202e\ud800",
        "</code></table>",
    ],
)
def test_what_a_student_wrote_is_text_and_nothing_else(hostile: str) -> None:
    unread = SubmissionVerdict(hostile, "x", (), "bad_notebook", hostile)
    text = summary(ADA, unread)
    text.encode()
    assert [[len(row) for row in table] for table in tables(text)] == [[3], [4], [5, 5]]
    assert text.count("<code>") == text.count("</code>")
    assert set("<>|`[]@:\\\n").isdisjoint(code(hostile)[len("<code>") : -len("</code>")])


def test_a_large_class_stays_below_what_github_shows() -> None:
    many = [replace(ADA, student=f"{number}" + "%" * 200) for number in range(1500)]
    unread = [SubmissionVerdict(f"u{n}", "x", (), "bad_notebook", "%" * 999) for n in range(1500)]
    text = summary(*many, *unread)
    assert LIMIT * 0.9 < len(text.encode()) < LIMIT
    assert text.count("more do not fit here") == 2
    assert "mask-transposed" in text
