"""Ten wrong answers of different kinds, explained: what is said is true, computed independently."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import numpy as np
import pytest
from line_fitting import cell_of
from small_curriculum import perfect, shrink
from ten_answers import RIGHT, WRONG

from autograder.course import load_course
from autograder.disputes.account import Account, Dispute, Shown
from autograder.disputes.cell_parts import unpacked
from autograder.disputes.cells import cells
from autograder.disputes.desk import explained
from autograder.disputes.page import page
from autograder.disputes.worker import NOT_AGAIN

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("ten_wrong_answers")]

ABOVE = "import math\n\nimport numpy as np\nimport torch\nfrom torch import nn\n"
EVERY = [(assignment, name) for assignment, wrong in WRONG.items() for name in wrong]
LONG = re.compile(r"\d+\.\d{6,}(?:e[-+]?\d+)?")


@pytest.fixture(scope="module")
def graded(
    run: Any, make_course: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A class of one, who has gone wrong in ten ways."""
    course = make_course(tmp_path_factory.mktemp("ten") / "course")
    shrink(course, {assignment: list(wrong) for assignment, wrong in WRONG.items()})
    for assignment, wrong in WRONG.items():
        notebook = perfect(course, assignment, "zoe")
        for name, source in wrong.items():
            cell_of(notebook, name).source = source
        folder = course / "submitted" / "zoe" / assignment
        folder.mkdir(parents=True)
        (folder / f"{assignment}.ipynb").write_text(nbformat.writes(notebook), encoding="utf-8")
    done = run("autograder", "grade", cwd=course)
    assert done.returncode == 0, done.stdout + done.stderr
    return course


@pytest.fixture(scope="module")
def disputes(graded: Path) -> dict[str, Dispute]:
    course = load_course(graded)
    return {name: explained(course, "zoe", name) for name in WRONG}


@pytest.fixture(scope="module")
def for_student(graded: Path) -> dict[str, Dispute]:
    course = load_course(graded)
    return {name: explained(course, "zoe", name, for_student=True) for name in WRONG}


def account(dispute: Dispute, name: str) -> Account:
    (found,) = [one for one in dispute.accounts if one.exercise.name == name]
    return found


@pytest.mark.parametrize(("assignment", "name"), EVERY)
def test_the_verdict_is_the_recorded_one_and_each_test_fails_again(
    assignment: str, name: str, disputes: dict[str, Dispute]
) -> None:
    found = account(disputes[assignment], name)
    assert found.doubts == ()
    assert found.shown
    for one in found.shown:
        assert one.failed_again
        assert one.call or one.note == NOT_AGAIN, one.note


@pytest.mark.parametrize("assignment", WRONG)
def test_pasted_below_the_code_each_cell_shows_the_difference_that_is_claimed(
    assignment: str, disputes: dict[str, Dispute], ran: Callable[..., list[str]]
) -> None:
    shown = with_cells(disputes[assignment])
    assert {name for name, one in shown if one.difference} == set(WRONG[assignment])
    everything = ran([ABOVE, *WRONG[assignment].values()], [one.cell for _, one in shown])
    for (_, one), printed in zip(shown, everything, strict=True):
        assert "autograder" not in one.cell
        if one.difference:
            assert "DIFFERS" in printed, (one, printed)
            said = re.search(r"result\S* is (\S+); (\S+) was expected", one.difference)
            if said:
                assert said[1] in printed, (one.difference, printed)
                assert said[2] in printed, (one.difference, printed)


@pytest.mark.parametrize("assignment", WRONG)
def test_a_right_answer_of_another_hand_meets_what_was_expected(
    assignment: str, disputes: dict[str, Dispute], ran: Callable[..., list[str]]
) -> None:
    shown = with_cells(disputes[assignment])
    rights = [RIGHT[name] for name in WRONG[assignment]]
    everything = ran([ABOVE, *rights], [one.cell for _, one in shown])
    for (_, one), printed in zip(shown, everything, strict=True):
        assert "DIFFERS" not in printed, (one, printed)


def with_cells(dispute: Dispute) -> list[tuple[str, Shown]]:
    """What is shown with a cell, and of which exercise."""
    shown = [(found.exercise.name, one) for found in dispute.accounts for one in found.shown]
    assert all(one.cell or one.why_no_cell or one.note for _, one in shown)
    return [(name, one) for name, one in shown if one.cell]


def _numbers(text: str) -> set[float]:
    """Numbers of many digits, without those that meet by chance.

    These are what half precision can hold, and what is as small as rounding errors and tolerances.
    """
    found = {float(one) for one in LONG.findall(text)}
    with np.errstate(over="ignore"):
        return {one for one in found if one > 1e-3 and float(np.float16(one)) != one}


@pytest.mark.parametrize("assignment", WRONG)
def test_no_hidden_number_is_in_what_a_student_is_sent(
    assignment: str, disputes: dict[str, Dispute], for_student: dict[str, Dispute]
) -> None:
    hidden = disputes[assignment]
    sent = for_student[assignment]
    written = _inputs_in(cells(sent)) + page(sent)
    drawn = _numbers(_inputs_in(cells(hidden)))
    assert len(drawn) > 50
    assert drawn & _numbers(written) == set()
    shown = [one for found in hidden.accounts for one in found.shown]
    told = {text for one in shown for text in (one.place, one.test)} - {""}  # none where it died
    assert len(told) > 4
    assert [text for text in told if text in written] == []


def _inputs_in(text: str) -> str:
    """What cells make before they call, packed arrays number by number.

    Results are left out: tens of thousands of them in single precision meet by chance.
    """
    text = re.sub(r"^ *right = .*$", "", text, flags=re.MULTILINE)
    packed = re.findall(r"unpacked\('([^']+)', '(\w+)', (\([\d, ]+\))\)", text)
    found = [unpacked(data, dtype, eval(shape)) for data, dtype, shape in packed]
    return text + " ".join(repr(float(one)) for array in found for one in array.reshape(-1))


@pytest.mark.parametrize("assignment", WRONG)
def test_what_a_student_is_sent_fails_alike_and_is_right_about_it(
    assignment: str, for_student: dict[str, Dispute], ran: Callable[..., list[str]]
) -> None:
    sent = [(name, one) for name, one in with_cells(for_student[assignment]) if one.difference]
    assert {name for name, _ in sent} == set(WRONG[assignment])
    pasted = [one.cell for _, one in sent]
    wrong = ran([ABOVE, *WRONG[assignment].values()], pasted)
    right = ran([ABOVE, *[RIGHT[name] for name in WRONG[assignment]]], pasted)
    for (_, one), now, then in zip(sent, wrong, right, strict=True):
        assert "DIFFERS" in now, (one, now)
        assert "DIFFERS" not in then, (one, then)
