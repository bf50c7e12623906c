"""`--junit`: valid by the schema that pytest holds its own files to, and true of what was found."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
import xmlschema

from autograder.commands.junit import as_junit
from autograder.course import Exercise
from autograder.verdicts import ExerciseVerdict, SubmissionVerdict, TestResult
from autograder.verdicts.contract import as_contract
from autograder.verdicts.totals import ExerciseTotal, SubmissionTotal, automatic
from autograder.verdicts.verdict import not_judged

# testing/example_scripts/junit-10.xsd of pytest, which has it from Jenkins' xUnit plugin.
SCHEMA = xmlschema.XMLSchema(Path(__file__).parent / "junit_of_pytest.xsd")
RIGHT = TestResult("shape", "The shape.", "passed", 1.0, "cpu")
WRONG = TestResult("values", "The values.", "failed", 2.0, "cpu", "it is transposed")
WAITS = TestResult("values", "The values.", "pending", 1.0, "cuda")
WRITTEN = TestResult("answer", "Why it scales.", "pending", 3.0, "person")
MASK = ExerciseVerdict(
    "causal_mask",
    4.0,
    (RIGHT, WRONG, WAITS),
    misconceptions=("mask-transposed",),
    message="Your mask is the transpose.",
)


def written(
    verdicts: Sequence[SubmissionVerdict], totals: Sequence[SubmissionTotal] | None = None
) -> ElementTree.Element:
    """The file's root, once the schema has found nothing wrong with it."""
    text = as_junit(as_contract(verdicts, totals or [automatic(one) for one in verdicts], "cpu"))
    SCHEMA.validate(text)
    return ElementTree.fromstring(text)


def cases(*exercises: ExerciseVerdict, **totals: Any) -> dict[str, ElementTree.Element]:
    """The cases of one submission, by what they claim."""
    verdict = SubmissionVerdict("ada", "03-causal-masking", exercises)
    total = [SubmissionTotal(totals["exercises"])] if totals else None
    (suite,) = written([verdict], total)
    found = suite.findall("testcase")
    assert len({(one.get("classname"), one.get("name")) for one in found}) == len(found)
    assert suite.get("tests") == str(len(found))
    for plural, tag in (("failures", "failure"), ("errors", "error"), ("skipped", "skipped")):
        assert suite.get(plural) == str(len(suite.findall(f"testcase/{tag}")))
    return {one.get("name", ""): one for one in found}


def tag_of(case: ElementTree.Element) -> str:
    return case[0].tag if len(case) else "passed"


def test_a_case_is_a_claim_and_says_whose_it_is() -> None:
    found = cases(MASK)
    assert {name: tag_of(case) for name, case in found.items()} == {
        "The shape.": "passed",
        "The values.": "failure",
        "The values. (on a GPU)": "skipped",
    }
    assert found["The shape."].get("classname") == "ada/03-causal-masking/causal_mask"


def test_a_failure_says_all_in_its_text_since_some_programs_show_no_message() -> None:
    failure = cases(MASK)["The values."][0]
    assert failure.text == "it is transposed\nYour mask is the transpose."
    assert failure.get("type") == "mask-transposed"


def test_code_that_died_is_told_with_its_reason() -> None:
    died = replace(
        MASK, tests=(replace(WRONG, symptom=None),), reason="timeout", misconceptions=(), message=""
    )
    failure = cases(replace(died, detail="5 s"))["The values."][0]
    assert (failure.get("type"), failure.text) == ("timeout", "timeout: 5 s")


def test_two_tests_with_the_same_claim_are_two_cases() -> None:
    other = replace(WRONG, name="large_values")
    assert set(cases(replace(MASK, tests=(WRONG, other)))) == {
        "The values.",
        "The values. [large_values]",
    }


def test_an_ungraded_submission_is_an_error_with_its_reason() -> None:
    (suite,) = written([SubmissionVerdict("ada", "x", (), "bad_notebook", "line 12 is not JSON")])
    (case,) = suite.findall("testcase")
    (error,) = case
    assert (suite.get("errors"), suite.get("failures")) == ("1", "0")
    assert (error.tag, error.text) == ("error", "bad_notebook: line 12 is not JSON")


def test_a_fault_of_ours_is_no_failure_of_the_student() -> None:
    broken = replace(MASK, reason="grader_error", detail="KeyError: 'x'")
    for one in (broken, not_judged(Exercise("causal_mask", 4.0, "code"), "KeyError: 'x'")):
        (case,) = cases(one).values()
        assert case[0].tag == "error"
        assert "no fault of the student" in (case[0].text or "")
        assert "KeyError: 'x'" in (case[0].text or "")


def test_what_was_not_tried_is_told_apart_from_what_is_wrong() -> None:
    unwritten = replace(WRONG, symptom="your code raised NotImplementedError")
    failure = cases(ExerciseVerdict("kernel", 2.0, (unwritten,)))["The values."][0]
    assert (failure.tag, failure.get("type")) == ("failure", "not_attempted")


def test_what_costs_nothing_is_no_failure() -> None:
    remark = TestResult("heads", "No heads.", "failed", 0.0, "cpu", "it takes 0 heads", remark=True)
    unwritten = replace(WRONG, symptom="your code raised NotImplementedError")
    left_out = ExerciseVerdict("kernel", 2.0, (unwritten,), bonus=True)
    found = cases(replace(MASK, tests=(RIGHT, remark)), left_out)
    assert [tag_of(case) for case in found.values()] == ["passed", "system-out", "skipped"]


@pytest.mark.parametrize(
    ("given", "tag"), [(None, "skipped"), (3.0, "system-out"), (1.0, "failure")]
)
def test_what_a_person_has_read_waits_no_longer(given: float | None, tag: str) -> None:
    one = ExerciseVerdict("w1", 3.0, (WRITTEN,))
    total = ExerciseTotal(given or 0.0, None, given, 0.0, 0.0 if given else 3.0)
    case = cases(one, exercises={"w1": total})["Why it scales."]
    assert case[0].tag == tag
    if given:
        assert case[0].text == f"A person gave {given:g} of 3 points."


@pytest.mark.parametrize(
    "text", ["\x00\x1b[31m", "</failure>]]>&\"'", "\ud800\ufffe", "a\nb\u2028c", "\u202egnp.exe"]
)
def test_nothing_that_a_student_writes_breaks_the_file(text: str) -> None:
    wrong = replace(WRONG, symptom=text, claim=text)
    verdict = SubmissionVerdict(text, "x", (replace(MASK, tests=(wrong,), message=text),))
    unread = SubmissionVerdict(f"{text}2", "x", (), "bad_notebook", text)
    root = written([verdict, unread])
    assert len(root.findall("testsuite/testcase")) == 2
    raw = ElementTree.tostring(root, encoding="unicode")
    raw.encode()
    assert not set("\x00\x1b\u202e\ufffe") & set(raw)


def test_it_agrees_with_the_json_of_the_same_run() -> None:
    verdict = SubmissionVerdict("ada", "x", (MASK,), seconds=0.25)
    contract = json.loads(json.dumps(as_contract([verdict], [automatic(verdict)], "cpu")))
    suite = ElementTree.fromstring(as_junit(contract))[0]
    told = {one.get("name"): one.get("value") for one in suite.iter("property")}
    (submission,) = contract["submissions"]
    for field in ("status", "score", "max_score", "pending_points"):
        assert told[field] == str(submission[field])
