from collections.abc import Callable
from pathlib import Path

import pytest
from line_fitting import NAME
from submitted_cells import source_of

from autograder.course import CourseError, load_course
from autograder.disputes.account import Account
from autograder.disputes.desk import explained
from autograder.disputes.telling import NOTHING, reasons


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
