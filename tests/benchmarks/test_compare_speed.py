"""The comparison of speed: its class, its ordinary asserts, its agreement, and our own rows."""

import ast
from collections.abc import Sequence
from pathlib import Path

import pytest

from autograder.judging.answers import reference_source, student_with
from benchmarks.classes import code_answers
from benchmarks.compare_speed import agreement, asserts, floor, otter_grader, report, stock_nbgrader
from benchmarks.compare_speed.__main__ import compare
from benchmarks.compare_speed.handed_in import EXERCISES, Submission, make_class, uses
from benchmarks.compare_speed.measured import Measured
from benchmarks.compare_speed.this_project import AGAIN, FEEDBACK, GRADE, WORKERS

pytestmark = pytest.mark.slow

OURS, STOCK, OTTER = GRADE.format(1), stock_nbgrader.AUTOGRADE, otter_grader.RUN


def deserved(handed_in: Sequence[Submission], row: str) -> Measured:
    """A grader that gives everyone what they deserve."""
    marks = {
        (one.student, answer.exercise): answer.right for one in handed_in for answer in one.answers
    }
    return Measured(row, len(handed_in), 1.0, marks)


def but(measured: Measured, key: tuple[str, str], full: bool | None) -> Measured:
    """The same grader with one other mark, or without one."""
    marks = {k: full if k == key else old for k, old in measured.marks.items()}
    given = {k: mark for k, mark in marks.items() if mark is not None}
    return Measured(measured.row, measured.submissions, measured.seconds, given)


@pytest.fixture(scope="module")
def handed_in() -> list[Submission]:
    return make_class(30)


@pytest.fixture(scope="module")
def first(handed_in: list[Submission]) -> dict[bool, tuple[str, str]]:
    """The first right answer and the first wrong one."""
    answers = [(one.student, answer) for one in handed_in for answer in one.answers]
    return {
        right: next((student, one.exercise) for student, one in answers if one.right is right)
        for right in (True, False)
    }


def test_all_submissions_differ_and_about_half_of_the_answers_are_wrong(
    handed_in: list[Submission],
) -> None:
    sources = [answer.source for one in handed_in for answer in one.answers]
    assert len(set(sources)) == len(sources) == 30 * len(EXERCISES)
    wrong = [answer for one in handed_in for answer in one.answers if not answer.right]
    assert 0.4 < len(wrong) / len(sources) < 0.6
    assert {answer.exercise for answer in wrong} == set(EXERCISES)
    assert make_class(30) == handed_in


def test_no_answer_rests_on_another_exercise_that_is_wrong(handed_in: list[Submission]) -> None:
    for one in handed_in:
        wrong = {answer.exercise for answer in one.answers if not answer.right}
        for answer in one.answers:
            rests_on = uses(answer.source)
            if not answer.right:
                rests_on |= uses(reference_source(answer.exercise))
            assert not rests_on & (wrong - {answer.exercise})


@pytest.mark.parametrize("exercise", EXERCISES)
def test_ordinary_asserts_pass_every_right_answer_and_fail_most_wrong_ones(exercise: str) -> None:
    known = code_answers(exercise)
    assert all(passes(exercise, source) for source in known[True])
    missed = [source for source in known[False] if passes(exercise, source)]
    assert len(missed) < len(known[False]) / 2


def passes(exercise: str, source: str) -> bool:
    """Whether an answer passes what an ordinary course would assert."""
    function = student_with(exercise, source).value(exercise)
    try:
        getattr(asserts, f"test_{exercise}")(function)
    except Exception:  # whatever a wrong answer raises
        return False
    return True


@pytest.mark.parametrize("exercise", EXERCISES)
def test_a_graded_cell_of_nbgrader_holds_the_same_asserts(exercise: str) -> None:
    function = getattr(asserts, f"test_{exercise}")
    cell = ast.parse(stock_nbgrader.body(function))
    cells = [one.source for one in stock_nbgrader.notebook().cells]
    assert any(stock_nbgrader.body(function) in source for source in cells)
    assert any(isinstance(node, ast.Assert) for node in ast.walk(cell))
    assert exercise in uses(stock_nbgrader.body(function))
    assert any(f"def test_{exercise}(" in one.source for one in otter_grader.notebook().cells)


def test_graders_that_give_what_is_deserved_agree(handed_in: list[Submission]) -> None:
    rows = [deserved(handed_in, row) for row in (OURS, STOCK, OTTER)]
    assert agreement.faults(handed_in, rows) == []
    assert agreement.missed(handed_in, rows[0])[0] == 0


@pytest.mark.parametrize("row", [OURS, STOCK, OTTER])
def test_a_right_answer_that_loses_marks_is_a_fault(
    handed_in: list[Submission], first: dict[bool, tuple[str, str]], row: str
) -> None:
    for full, said in ((False, "is right and lost marks"), (None, "no mark for")):
        faults = agreement.faults(handed_in, [but(deserved(handed_in, row), first[True], full)])
        assert len(faults) == 1
        assert said in faults[0]
        assert row in faults[0]


def test_a_wrong_answer_with_full_marks_is_a_fault_of_this_project_and_counted_for_others(
    handed_in: list[Submission], first: dict[bool, tuple[str, str]]
) -> None:
    rows = [but(deserved(handed_in, row), first[False], True) for row in (OURS, STOCK, OTTER)]
    assert agreement.faults(handed_in, rows[1:]) == []
    assert agreement.missed(handed_in, rows[1])[0] == 1
    (fault,) = agreement.faults(handed_in, rows)
    assert "is wrong and has full marks" in fault
    assert OURS in fault


def test_graders_of_the_same_asserts_that_differ_are_a_fault(
    handed_in: list[Submission], first: dict[bool, tuple[str, str]]
) -> None:
    rows = [but(deserved(handed_in, STOCK), first[False], True), deserved(handed_in, OTTER)]
    (fault,) = agreement.faults(handed_in, rows)
    assert f"{OTTER} and {STOCK} differ" in fault


def test_the_table_compares_medians_for_each_submission(handed_in: list[Submission]) -> None:
    runs = [Measured(OURS, 30, seconds) for seconds in (3.0, 6.0, 30.0)]
    pages = [Measured(FEEDBACK, 30, 1.5), Measured(stock_nbgrader.FEEDBACK, 10, 2.0)]
    lines = report.table(handed_in, [*runs, Measured(STOCK, 10, 20.0), *pages]).splitlines()
    assert lines[-4:] == [
        f"| {OURS} | 30 | 200 | 100 to 1000 | 1 |  |",
        f"| {STOCK} | 10 | 2000 | 2000 to 2000 | 10 |  |",
        f"| {FEEDBACK} | 30 | 50 | 50 to 50 | 1 |  |",
        f"| {stock_nbgrader.FEEDBACK} | 10 | 200 | 200 to 200 | 4 |  |",
    ]


def test_this_project_and_the_floor_grade_a_class_and_agree(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    handed_in = make_class(2)
    measured, isolation = compare(tmp_path, handed_in, peers=0, repeat=1)
    assert agreement.faults(handed_in, measured) == []
    graded = [one.row for one in measured if one.marks]
    assert graded == [*map(GRADE.format, WORKERS), AGAIN, floor.ASSERTS, floor.GRADERS]
    assert all(len(one.marks) == 2 * len(EXERCISES) for one in measured if one.marks)
    assert "seccomp" in isolation
