"""A hidden test that fails by itself: its exercise waits for a person, everything else is graded.

The course's own reference breaks once the class was graded, as when somebody edits it. The tests
tell one story, in the order in which they stand.
"""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from gradebook_rows import Row, grades, url_of
from line_fitting import NAME, REFERENCE, all_right, by_hand, cell_of, hand_in, keep

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("broken grader")]

RIGHT, BROKEN = "predict", "mean_squared_error"
ALL, WORTH = 4.0, 2.0  # points of the assignment, and of the broken exercise
BREAKS = f"\n\ndef {BROKEN}(*_):\n    raise RuntimeError('no `<b>such`\\n\\n# line')\n"


@pytest.fixture(scope="module")
def course(
    make_line_fitting: Callable[[Path], Path], run: Any, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A class of two with full marks, graded; since then a reference raises."""
    root = make_line_fitting(tmp_path_factory.mktemp("broken") / "course")
    keep(root, RIGHT, BROKEN)
    assert run("autograder", "release", NAME, cwd=root).returncode == 0
    for student in ("ada", "ben"):
        hand_in(root, student, all_right(root, student))
    marks, _ = grade(root, run, expected=0)
    assert {one["score"] for one in marks.values()} == {ALL}
    with (root / REFERENCE).open("a", encoding="utf-8") as solutions:
        solutions.write(BREAKS)
    return root


def grade(root: Path, run: Any, expected: int = 1) -> tuple[dict[str, Any], str]:
    """Grade the class; its submissions by student, and what was said."""
    done = run("autograder", "grade", NAME, "--json", "marks.json", cwd=root)
    assert done.returncode == expected, done.stdout + done.stderr
    found = json.loads((root / "marks.json").read_text())["submissions"]
    return {one["student"]: one for one in found}, " ".join(done.stdout.split())


def row(root: Path, student: str, exercise: str) -> Row:
    found = {one.name: one for one in grades(url_of(root))}
    return found[student, NAME, f"test_{exercise}"]


def test_the_exercise_alone_loses_its_mark_and_waits_for_a_person(course: Path, run: Any) -> None:
    marks, said = grade(course, run)
    for student, one in marks.items():
        assert (one["status"], one["reason"]) == ("graded", None)
        assert (one["score"], one["max_score"]) == (ALL - WORTH, ALL)
        assert one["pending_points"] == WORTH
        broken = one["exercises"][BROKEN]
        assert (broken["status"], broken["reason"]) == ("ungraded", "grader_error")
        assert (broken["score"], broken["auto_score"], broken["pending_points"]) == (0, None, WORTH)
        assert "RuntimeError" in broken["detail"]
        assert one["exercises"][RIGHT]["score"] == 2.0
        assert (row(course, student, BROKEN).score, row(course, student, BROKEN).due) == (
            None,
            True,
        )
        assert (row(course, student, RIGHT).score, row(course, student, RIGHT).due) == (2, False)
    assert "2 graded, 0 ungraded" in said
    assert f"{BROKEN}: judging it failed by itself in 2 of these" in said
    assert "2 points wait for you" in said


def test_the_page_says_that_a_person_will_look_at_it(course: Path, run: Any) -> None:
    done = run("autograder", "feedback", NAME, cwd=course)
    assert done.returncode == 0, done.stdout + done.stderr
    page = (course / "feedback" / "ada" / NAME / f"{NAME}.html").read_text(encoding="utf-8")
    assert "from your instructor" in page
    assert "you lose nothing by it" in page
    assert "<b>2</b> of 4 points, and 2 still open" in page
    assert "RuntimeError" not in page


def test_graders_are_told_what_failed_and_nothing_in_it_acts(course: Path) -> None:
    path = course / "autograded" / "ada" / NAME / f"{NAME}.ipynb"
    from autograder.gradebook.pending import FOR_GRADERS, ShowDetails

    notebook = nbformat.read(path, as_version=4)
    assert "RuntimeError" in notebook.metadata[FOR_GRADERS][f"test_{BROKEN}"]
    page = dict.fromkeys(("submission_id", "notebook_path", "assignment_id"), "")
    shown, _ = ShowDetails().preprocess(notebook, page)
    (told,) = [one.source for one in shown.cells if "To decide by" in one.source]
    assert re.fullmatch(r"\*\*To decide by.*\*\* `[^`\n]+`", told)


@pytest.mark.parametrize(
    "command", [("autograder", "grade"), ("nbgrader", "autograde", NAME, "--force")]
)
def test_a_mark_by_hand_counts_and_is_not_asked_for_again(
    course: Path, run: Any, command: tuple[str, ...]
) -> None:
    by_hand(course, "ada", f"test_{BROKEN}", manual_score=1.5)
    again = run(*command, cwd=course)
    assert again.returncode == (1 if command[0] == "autograder" else 0), again.stderr
    assert f"{BROKEN}: judging it failed by itself" in again.stdout + again.stderr
    assert (row(course, "ada", BROKEN).score, row(course, "ada", BROKEN).due) == (None, False)
    assert (row(course, "ben", BROKEN).score, row(course, "ben", BROKEN).due) == (None, True)
    assert (row(course, "ben", RIGHT).score, row(course, "ben", RIGHT).due) == (2, False)
    marks, said = grade(course, run)
    ada = marks["ada"]
    assert (ada["score"], ada["pending_points"], ada["manual_score"]) == (3.5, 0, 1.5)
    assert f"ada {NAME} 3.5 / 4" in said
    assert f"marked by hand: {BROKEN}" in said


def test_another_answer_is_asked_for_again(course: Path, run: Any) -> None:
    notebook = all_right(course, "ada")
    cell_of(notebook, BROKEN).source += "\n# another answer\n"
    hand_in(course, "ada", notebook)
    for _ in range(2):
        grade(course, run)
        assert row(course, "ada", BROKEN).due is True


def test_once_it_is_mended_the_same_command_gives_the_marks(course: Path, run: Any) -> None:
    source = (course / REFERENCE).read_text(encoding="utf-8").removesuffix(BREAKS)
    (course / REFERENCE).write_text(source, encoding="utf-8")
    marks, said = grade(course, run, expected=0)
    assert (marks["ben"]["score"], marks["ben"]["pending_points"]) == (ALL, 0.0)
    assert (row(course, "ben", BROKEN).score, row(course, "ben", BROKEN).due) == (2, False)
    assert "failed by itself" not in said
