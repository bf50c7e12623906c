"""The table of marks that `autograder grade` prints."""

from dataclasses import replace

import pytest

from autograder.commands.marks_table import show
from autograder.verdicts import ExerciseVerdict, SubmissionVerdict, TestResult
from autograder.verdicts.attempted import NO_CHOICE, NO_TEXT
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


WRONG = TestResult("shape", "The shape.", "failed", 1.0, "cpu", "its shape is wrong")


@pytest.mark.parametrize(
    ("changes", "note"),
    [
        ({"misconceptions": ("no-scale", "float-mask")}, "x: no-scale, float-mask"),
        ({"reason": "crashed", "detail": "signal 11"}, "x: crashed"),
        ({"error": "SyntaxError: '(' was never closed (line 2)"}, "x: SyntaxError"),
        ({"answered": "B", "message": "B is another thing."}, "x: answered B"),
        ({"message": "The answer should be one of A and B."}, "x: 1 of 2 checks failed"),
        ({"tests": (WRONG,), "message": "The answer should be a number."}, "x: wrong"),
        ({"tests": (UNWRITTEN,)}, "not tried: x"),
        ({"tests": (WRONG,), "message": NO_CHOICE}, "not tried: x"),
        ({"tests": (WRONG,), "message": NO_TEXT}, "not tried: x"),
        ({"tests": (RIGHT,)}, ""),
        ({"tests": (RIGHT, WAITS)}, "1 points wait for a GPU"),
    ],
)
def test_every_exercise_that_lost_marks_is_noted(
    capsys: pytest.CaptureFixture[str], changes: dict, note: str
) -> None:
    one = replace(ExerciseVerdict("x", 3.0, (RIGHT, WRONG)), **changes)
    one = replace(one, max_points=sum(test.points for test in one.tests))
    verdict = SubmissionVerdict("ada", "y", (one,))
    show([verdict], [automatic(verdict)])
    said = " ".join(capsys.readouterr().out.split())
    assert said.partition(" / ")[2].partition(" ")[2] == f"{note} 1 graded, 0 ungraded".strip()


def test_many_exercises_that_were_not_tried_are_counted(
    capsys: pytest.CaptureFixture[str],
) -> None:
    blank = [ExerciseVerdict(f"x{n}", 2.0, (UNWRITTEN,)) for n in range(9)]
    for count, said in ((5, "x0, x1, x2, x3, x4 1 graded"), (9, "x0, x1, x2, x3 and 5 more")):
        verdict = SubmissionVerdict("ada", "y", tuple(blank[:count]))
        show([verdict], [automatic(verdict)])
        assert f"not tried: {said}" in " ".join(capsys.readouterr().out.split())


def test_without_a_terminal_each_submission_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    odd = tuple(f"note {number}, which is not short" for number in range(20))
    one = ExerciseVerdict("x", 1.0, (RIGHT,))
    verdicts = [SubmissionVerdict(f"{name}", "x", (one,), notes=odd) for name in ("ada", "ben")]
    show(verdicts, [automatic(verdict) for verdict in verdicts])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[0] for line in lines] == ["Student", "ada", "ben", "2"]
    assert lines[1].endswith("note 19, which is not short")
    assert not any(line != line.rstrip() for line in lines)
