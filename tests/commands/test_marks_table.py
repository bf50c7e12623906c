"""The table of marks that `autograder grade` prints."""

import pytest

from autograder.commands.marks_table import show
from autograder.verdicts import ExerciseVerdict, SubmissionVerdict, TestResult
from autograder.verdicts.totals import automatic

RIGHT = TestResult("values", "The values.", "passed", 2.0, "cpu")
UNWRITTEN = TestResult("v", "V.", "failed", 2.0, "cpu", "your code raised NotImplementedError")
WAITS = TestResult("fused", "On a GPU.", "pending", 1.0, "cuda")
PLAIN = ExerciseVerdict("causal_mask", 2.0, (RIGHT,))


def table(capsys: pytest.CaptureFixture[str], *bonus: TestResult, reason: str | None = None) -> str:
    one = ExerciseVerdict("kernel", 3.0, bonus, reason=reason, bonus=True)
    verdict = SubmissionVerdict("ada", "x", (PLAIN, one))
    show([verdict], [automatic(verdict)])
    return " ".join(capsys.readouterr().out.split())


def test_a_bonus_counts_on_top_and_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    said = table(capsys, RIGHT, WAITS)
    assert "ada x 4 / 2 1 points wait for a GPU; 2 of the points are a bonus" in said


@pytest.mark.parametrize("reason", [None, "missing_cell"])
def test_a_bonus_that_was_left_out_is_no_problem(
    capsys: pytest.CaptureFixture[str], reason: str | None
) -> None:
    assert "ada x 2 / 2 1 graded" in table(capsys, UNWRITTEN, WAITS, reason=reason)


def test_a_bonus_that_ran_out_of_time_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert "kernel: timeout" in table(capsys, UNWRITTEN, reason="timeout")
