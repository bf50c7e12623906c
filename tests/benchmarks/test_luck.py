"""What depends on the luck of a secret is seen, on either side of the marks."""

from concurrent.futures import ThreadPoolExecutor
from io import StringIO

import pytest
from rich.console import Console

from autograder.judging.answers import reference_source
from benchmarks.luck import FEWER, Answer, answers_of, find, show, tasks

pytestmark = pytest.mark.slow

REFERENCE = reference_source("scaled_scores")


def judged(answers, secrets):
    printed = StringIO()
    console = Console(file=printed, width=200)
    with ThreadPoolExecutor(1) as pool:
        findings = find(tasks(answers, range(secrets), FEWER), pool, console)
    show(findings, console)
    return findings, printed.getvalue()


def test_the_bank_is_judged_under_every_secret_and_its_mistakes_under_a_quarter():
    answers = answers_of(["scaled_scores"])
    right = sum(answer.right for answer in answers)
    findings, printed = judged(answers, FEWER + 1)
    assert findings.judged == {True: right * (FEWER + 1), False: (len(answers) - right) * 2}
    assert (findings.lost, findings.full) == ([], [])
    assert "0 tests failed" in printed
    assert "0 kept full marks" in printed


def test_a_right_answer_that_fails_is_told_with_its_test_and_secret():
    unscaled = "def scaled_scores(q, k):\n    return q @ k.mT"
    findings, printed = judged([Answer("scaled_scores", "unscaled", unscaled, True)], 1)
    assert findings.lost
    assert "WRONG  a right answer fails: scaled_scores/unscaled, test_" in printed
    assert ", secret 0" in printed


def test_a_mistake_that_keeps_full_marks_is_told_with_its_secret():
    findings, printed = judged([Answer("scaled_scores", "none", REFERENCE, False)], 1)
    assert findings.full == ["scaled_scores/none, secret 0"]
    assert "WRONG  a mistake keeps full marks: scaled_scores/none, secret 0" in printed


def test_how_many_tests_catch_a_mistake_is_known_at_its_luckiest():
    findings, _ = judged([Answer("scaled_scores", "stub", "", False)], FEWER + 1)
    assert list(findings.fewest.values()) == [len(findings.failed)]
