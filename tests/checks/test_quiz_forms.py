"""The visible check of a quiz question: the answer's form, and never whether it is right."""

import fractions
import json

import numpy as np
import pytest
import torch
from quiz_sources import QUIZ

from autograder.checks.kit.checking import look
from autograder.checks.kit.discovery import exercises_here, module_of
from autograder.checks.kit.report import report_page
from autograder.checks.kit.running import Finding, run_checks
from autograder.checks.kit.showing import as_text

pytestmark = pytest.mark.usefixtures("with_questions")

ID = {"student_id": "ada"}


def looked_at(name: str, answer: object, **more: object) -> Finding:
    """What the visible check finds."""
    (finding,) = run_checks(name, module_of(name), {name: answer, **more})
    return finding


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("q1", "A"),
        ("q1", "B"),
        ("q1", "a"),
        ("q1", " A"),
        ("q1", "b\n"),
        ("q2", [" a", "C"]),
        ("q2", ["A", "C"]),
        ("q2", ("C", "B")),
        ("q2", ["B"]),
        ("k1", 22.6),
        ("k1", -3),
        ("k1", 10**100),
        ("k1", np.float32(0.1)),
        ("k1", np.int64(3)),
        ("k1", np.array(0.5)),
        ("k1", torch.tensor(0.5)),
        ("k1", torch.tensor(3, requires_grad=False)),
        ("k2", (2, 3)),
        ("k2", [2, 3, 4]),
        ("k2", torch.Size([2, 3])),
        ("k2", torch.zeros(2, 3).shape),
        ("k2", (np.int64(2), torch.tensor(3))),
        ("k2", ()),
    ],
)
def test_an_answer_of_the_right_form_passes_whether_it_is_right_or_not(name, answer):
    finding = looked_at(name, answer, **ID)
    assert finding.passed, finding.says
    assert finding.called == name


@pytest.mark.parametrize(
    ("name", "answers"),
    [
        ("q1", ["C", "c", "A.", "A" + " " * 99, "", " ", 2, None, ["A"], np.str_("A"), True]),
        (
            "q2",
            [["A", "D"], ["A", "A"], [], "A", ["A", "a"], {"A"}, "AC", [["A"]], None, ["A"] * 9],
        ),
        ("k1", ["22.6", None, True, np.bool_(True), torch.tensor(True), 1j, float("nan")]),
        ("k1", [float("inf"), [1.0], torch.zeros(1), torch.zeros((), device="meta"), np.zeros(2)]),
        ("k1", [np.float64("nan"), torch.tensor(1j), fractions.Fraction(1, 2), 10**400, "x" * 999]),
        ("k2", [(2, 3.0), (2, -3), (2, 0), (True, 2), "(2, 3)", 6, None, {2, 3}, (2, (3,))]),
        ("k2", [torch.zeros(2, 3), np.array([2, 3]), (2,) * 99, (2, "3"), (np.bool_(True),)]),
    ],
)
def test_an_answer_of_another_form_is_told_which_is_wanted(name, answers):
    for answer in answers:
        finding = looked_at(name, answer, **ID)
        assert not finding.passed, answer
        assert finding.says.startswith("The answer must be")
        assert f"`{name} = " in finding.says
        assert len(finding.came_back) <= 80


def test_an_answer_of_the_right_form_is_nowhere_called_passed():
    found = look("k1", {"k1": 3})
    assert found.heading == "k1: answered, in the right form. Whether it is right, grading tells."
    assert found.failure is None
    for shown in (
        as_text(found.heading, found.findings, None),
        report_page(found.heading, found.findings, None).partition("</style>")[2],
    ):
        assert found.heading in shown
        for word in ("pass", "✓", "the same", "called", "k1</"):
            assert word not in shown.lower()


def test_an_answer_of_another_form_heads_its_report_so():
    found = look("q1", {"q1": "Z"})
    assert found.heading == "q1: no answer of the right form yet."
    assert found.failure.startswith(f"{found.heading} The answer must be one letter of ")
    for shown in (
        as_text(found.heading, found.findings, None),
        report_page(found.heading, found.findings, None),
    ):
        assert "The answer must be one letter of" in shown
        assert "called" not in shown.lower()


@pytest.mark.parametrize("name", ["q1", "q2", "k1", "k2"])
def test_no_answer_is_told_to_be_none(name):
    finding = looked_at(name, ..., **ID)
    assert finding.says.startswith("There is no answer yet.")
    assert finding.came_back == "..."


@pytest.mark.parametrize("said", [..., "", "  ", None, 7])
def test_a_personal_question_wants_the_id_too(said):
    finding = looked_at("k2", (2, 3), student_id=said)
    assert not finding.passed
    assert "student_id" in finding.says


def test_a_personal_question_without_the_ids_cell_is_told_so():
    finding = looked_at("k2", (2, 3))
    assert "student_id" in finding.says
    assert looked_at("k1", 3).passed  # this one is not personal


def test_only_the_questions_of_this_release_are_known():
    assert {"q1", "q2", "k1", "k2", "causal_mask"} <= set(exercises_here())
    assert not [name for name in exercises_here() if "*" in name or "[" in name]
    assert module_of("q7") is None


def test_what_goes_out_holds_no_key_and_no_reason(questions_json):
    text = questions_json.read_text(encoding="utf-8")
    fields = {name for one in json.loads(text) for name in one}
    assert fields == {"name", "kind", "letters", "unit", "text", "sizes"}
    for secret in ("sqrt", "512", "4 * queries", "why", "left-out", "heads-second", "first."):
        assert secret in QUIZ
        assert secret not in text
