import re
import shutil
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from line_fitting import NAME
from rich.console import Console
from submitted_cells import source_of

from autograder.course import CourseError, load_course
from autograder.disputes.account import Account, Dispute
from autograder.disputes.desk import explained
from autograder.disputes.page import page
from autograder.disputes.telling import NOTHING, reasons
from autograder.disputes.terminal import show
from autograder.disputes.worker import OTHER_SIZES, SAME_SIZES


def account_of(course: Path, student: str, exercise: str) -> Account:
    (account,) = explained(load_course(course), student, NAME, exercise).accounts
    assert not account.doubts
    return account


def test_a_wrong_value_is_shown_with_what_was_expected(
    disputed: Path, ran: Callable[..., list[str]]
) -> None:
    account = account_of(disputed, "ben", "mean_squared_error")
    assert account.total is not None
    assert account.total.score < 2
    assert account.shown
    for one in account.shown:
        assert one.claim
        assert one.place.startswith("graders/")
        assert f"Seen: {one.difference}" in one.cell
        assert "autograder" not in one.cell
    pasted = [one.cell for one in account.shown]
    wrong = ran(source_of(disputed, "ben", "mean_squared_error"), pasted)
    right = ran(source_of(disputed, "ada", "mean_squared_error"), pasted)
    assert all("DIFFERS" in printed for printed in wrong)
    assert all("No difference." in printed for printed in right)


def test_full_marks_leave_nothing_to_explain(disputed: Path) -> None:
    account = account_of(disputed, "ada", "predict")
    assert reasons(account) == [NOTHING]


def test_who_and_what_does_not_exist_is_told_with_what_is_near(disputed: Path) -> None:
    course = load_course(disputed)
    with pytest.raises(CourseError, match=r"no student 'aada'.*Did you mean 'ada'"):
        explained(course, "aada", NAME)
    with pytest.raises(CourseError, match=r"no assignment.*Did you mean '01-line-fitting'"):
        explained(course, "ada", "01-line-fiting")
    with pytest.raises(CourseError, match=r"no exercise 'predikt'.*Did you mean 'predict'"):
        explained(course, "ada", NAME, "predikt")


def told(course: Path, student: str, exercise: str, for_student: bool = False) -> str:
    """All sentences about an exercise."""
    return "\n".join(reasons(account_of(course, student, exercise), for_student))


def test_an_error_is_shown_with_the_line_that_raised_it(
    disputed: Path, ran: Callable[..., list[str]]
) -> None:
    shown = account_of(disputed, "chloe", "predict").shown
    assert {one.line for one in shown} == {2}
    assert {one.line_text for one in shown} == {"return slope * x[99] + intercept"}
    assert all(one.difference == "It raised IndexError; the reference returns." for one in shown)
    printed = ran(source_of(disputed, "chloe", "predict"), [one.cell for one in shown])
    assert all("DIFFERS: it raised IndexError" in one for one in printed)


def test_code_that_never_ends_is_stopped_in_its_cell_too(
    disputed: Path, ran: Callable[..., list[str]]
) -> None:
    account = account_of(disputed, "dmitri", "predict")
    assert "It ended early (timeout)" in "\n".join(reasons(account))
    one = account.shown[0]
    assert one.gave.startswith("nothing: the process ended (timeout")
    (printed,) = ran(source_of(disputed, "dmitri", "predict"), [one.cell])
    assert "DIFFERS: it raised TimeoutError" in printed


def test_a_crash_and_a_syntax_error_are_told(disputed: Path) -> None:
    assert "It ended early (crashed)" in told(disputed, "emeka", "predict")
    assert "The cell raised when it ran: SyntaxError" in told(disputed, "fatima", "gradient")


def test_a_refusal_that_is_missing_is_shown(disputed: Path, ran: Callable[..., list[str]]) -> None:
    shown = account_of(disputed, "goran", "normal_equation").shown
    missing = [one for one in shown if one.difference.endswith("the reference raises ValueError.")]
    assert missing
    own = source_of(disputed, "goran", "normal_equation")
    printed = ran(own, [one.cell for one in missing])
    assert all("DIFFERS: it returned, and did not raise ValueError" in one for one in printed)


def test_inputs_that_were_changed_are_shown(disputed: Path, ran: Callable[..., list[str]]) -> None:
    shown = account_of(disputed, "hana", "predict").shown
    changed = [one for one in shown if one.difference.startswith("It changed what it was given")]
    assert changed
    printed = ran(source_of(disputed, "hana", "predict"), [one.cell for one in changed])
    assert all("DIFFERS: argument 1, afterwards," in one for one in printed)


def test_a_quiz_answer_is_told_with_its_question_and_key_and_a_student_gets_no_key(
    disputed: Path,
) -> None:
    text = told(disputed, "ivo", "q1")
    assert "Answered: D" in text
    assert "Key: " in text
    asked = shown_of(explained(load_course(disputed), "ivo", NAME, "q1"))
    assert "Asked: Why are the misses squared" in asked
    assert "D: So that the error is in the same unit as y." in asked
    assert "Key: " not in told(disputed, "ivo", "q1", for_student=True)
    assert "nothing of that form" in told(disputed, "ivo", "k1")


def test_points_by_hand_are_told_with_the_comment(disputed: Path) -> None:
    text = told(disputed, "jun", "predict")
    assert "A person gave 1.5 points in formgrader in place of 0." in text
    assert "Came to my office." in text
    assert "It was not attempted" in text


def test_a_written_answer_waits_for_a_person(disputed: Path) -> None:
    assert "its points are given by a person" in told(disputed, "ben", "w1")


def test_who_is_expected_and_handed_in_nothing_is_told_so(disputed: Path) -> None:
    (state,) = explained(load_course(disputed), "kim", NAME).state
    assert state.startswith("Nothing was handed in")


def test_a_changed_submission_is_told_apart_from_changed_hidden_numbers(
    disputed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    course = tmp_path / "course"
    shutil.copytree(disputed, course)
    monkeypatch.setenv("AUTOGRADER_SECRET", "another secret of a course")
    other = explained(load_course(course), "chloe", NAME, "predict")
    assert other.accounts[0].doubts == ()  # other numbers, and the same verdict
    handed_in = course / "submitted" / "chloe" / NAME / f"{NAME}.ipynb"
    text = handed_in.read_text(encoding="utf-8")
    assert "x[99]" in text
    handed_in.write_text(text.replace("x[99]", "x"), encoding="utf-8")
    mended = explained(load_course(course), "chloe", NAME, "predict")
    assert any("not what was graded" in sentence for sentence in mended.state)
    (doubt,) = mended.accounts[0].doubts
    assert "it earns 2 points and not 0" in doubt
    assert "The submission has changed since" in doubt
    assert mended.accounts[0].shown == ()


def test_the_command_writes_both_files(disputed: Path, run: Any, tmp_path: Path) -> None:
    cell, html = tmp_path / "why.py", tmp_path / "why.html"
    done = run(
        *("autograder", "explain", "ben", NAME, "mean_squared_error"),
        *("--cell", cell, "--html", html, "--for-student"),
        cwd=disputed,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [f"Written: {cell}", f"Written: {html}"]
    assert "def why_mean_squared_error" in cell.read_text(encoding="utf-8")
    written = html.read_text(encoding="utf-8")
    assert "numbers are new" in written
    assert "graders/" not in written
    refused = run(
        "autograder", "explain", "ben", NAME, "--html", tmp_path / "no" / "x", cwd=disputed
    )
    assert refused.returncode == 2
    assert "there is no folder" in refused.stderr


def shown_of(dispute: Dispute) -> str:
    """What a terminal of 80 columns shows."""
    console = Console(file=StringIO(), width=80, highlight=False)
    show(dispute, console)
    return str(console.file.getvalue())  # type: ignore[attr-defined]


def test_the_answer_stands_on_the_first_screen_and_what_was_not_begun_is_a_line(
    disputed: Path,
) -> None:
    course = load_course(disputed)
    text = shown_of(explained(course, "noor", NAME))
    screen = "\n".join(text.splitlines()[:24])
    assert "noor, 01-line-fitting: 0 of 23 points" in screen
    assert "predict  0 of 2 points" in screen
    assert "Not begun (21 points): k1, k2, mean_squared_error" in screen
    assert text.count("mean_squared_error") == 1
    assert "NotImplementedError" not in text
    assert not any(mark in text for mark in ("`", "**", "…"))
    sent = explained(course, "noor", NAME, for_student=True)
    for told in (shown_of(sent), page(sent)):
        assert "predict" in told
        assert "mean_squared_error" not in told
        assert "Not begun" not in told


def test_what_cost_most_is_told_first(disputed: Path) -> None:
    dispute = explained(load_course(disputed), "lena", NAME)
    lost = [one.lost for one in dispute.accounts]
    assert lost == sorted(lost, reverse=True)
    screen = shown_of(dispute).splitlines()[:24]
    assert all(any(one.exercise.name in line for line in screen) for one in dispute.accounts)


def test_what_a_student_is_shown_comes_from_a_process_that_was_given_no_hidden_input(
    disputed: Path,
) -> None:
    course = load_course(disputed)
    hidden = explained(course, "lena", NAME)
    sent = explained(course, "lena", NAME, for_student=True)
    drawn = {one for found in hidden.accounts for one in _numbers_given(found)}
    assert len(drawn) > 100
    notes = set()
    for found in sent.accounts:
        assert found.exercise.kind == "written" or any(one.call for one in found.shown)
        notes |= {one.note for one in found.shown if one.call}
        for one in found.shown:
            assert drawn & _numbers_in(f"{one.gave} {one.difference}") == set(), one
        assert drawn & _numbers_given(found) == set()
    assert notes == {OTHER_SIZES, SAME_SIZES}


def _numbers_given(account: Account) -> set[float]:
    """The numbers of the calls that are shown, without what comes back and what is right."""
    cells = " ".join(one.cell for one in account.shown)
    return _numbers_in(re.sub(r"^ *(right = |show).*$", "", cells, flags=re.MULTILINE))


def _numbers_in(text: str) -> set[float]:
    """Numbers of as many digits as those that are drawn for grading."""
    return {round(float(one), 5) for one in re.findall(r"\d+\.\d{5,}", text)}
