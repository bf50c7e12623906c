"""`autograder grade` writes what `nbgrader autograde` writes: every row, notebook and file."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from line_fitting import (
    NAME,
    SOURCE,
    all_right,
    by_hand,
    cell_of,
    edit,
    gradebook,
    hand_in,
    released,
    submitted,
)
from same_tables import autograded, tables

pytestmark = pytest.mark.slow

HANDED_IN = {
    "ada": "2026-11-20 12:00:00 UTC",
    "ben": "2026-11-20 18:00:00 UTC",
    "chloe": "2026-11-20 12:00:00 UTC",
    "dina": "2026-11-20 14:00:00 +0100",
}
LATE = """
c.LateSubmissionPlugin.penalty_method = "zero"
"""


@pytest.fixture(scope="module")
def course(
    make_line_fitting: Callable[[Path], Path], run: Any, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A course with a bonus, handed in by four, two of them late; ben leaves the bonus out."""
    folder = make_line_fitting(tmp_path_factory.mktemp("same-tables") / "course")
    with (folder / "course_config.py").open("a") as config:
        config.write(LATE)
    edit(folder / SOURCE, '"normal_equation" points=3', '"normal_equation" points=3 bonus')
    assert run("autograder", "release", cwd=folder).returncode == 0
    for student, when in HANDED_IN.items():
        notebook = all_right(folder, student)
        if student in ("ada", "ben"):
            cell_of(notebook, "w1").source = f"Each step is too long, says {student}."
        if student == "ben":
            stub = cell_of(released(folder), "normal_equation")
            cell_of(notebook, "normal_equation").source = stub.source
        if student == "dina":
            cell_of(notebook, "fit").source = "def fit(*_):\n    return 1 / 0\n"
        hand_in(folder, student, notebook, when)
    beside = folder / "submitted" / "ada" / NAME
    (beside / "data.csv").write_text("1,2\n")
    (beside / "page.html").write_text("<script>")
    with gradebook(folder) as book:
        book.update_or_create_assignment(NAME, duedate="2026-11-20 12:30:00 UTC")
    return folder


def by_each_command(course: Path, place: Path, run: Any) -> tuple[Path, Path]:
    """Copy a course twice, and grade one copy by each command."""
    ours, theirs = place / "ours", place / "theirs"
    for folder in (ours, theirs):
        shutil.copytree(course, folder, symlinks=True)
    done = run("autograder", "grade", NAME, cwd=ours)
    assert done.returncode == 0, done.stdout + done.stderr
    (theirs / ".autograder").mkdir(exist_ok=True)
    shutil.copy(ours / ".autograder" / "secret", theirs / ".autograder")
    done = run("nbgrader", "autograde", NAME, cwd=theirs)
    assert done.returncode == 0, done.stderr
    assert "Partial" not in done.stderr
    return ours, theirs


@pytest.fixture(scope="module")
def new(course: Path, run: Any, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """The class graded for the first time, by each command."""
    return by_each_command(course, tmp_path_factory.mktemp("new"), run)


def change_cell(course: Path, student: str, name: str, source: str, when: str = "") -> None:
    notebook = submitted(course, student)
    cell_of(notebook, name).source = source
    hand_in(course, student, notebook, when)


def mark_and_hand_in_again(course: Path) -> None:
    """What an instructor does between two runs, and what students hand in anew."""
    by_hand(course, "ben", "test_predict", manual_score=1.5, extra_credit=0.25)
    by_hand(course, "chloe", "test_normal_equation", extra_credit=0.5)
    for student in ("ada", "ben"):
        by_hand(course, student, "w1", f"Well put, {student}.", manual_score=2.0)
    with gradebook(course) as book:
        book.grant_extension(NAME, "dina", hours=3)
    wrong = "def predict(x, slope, intercept):\n    return x\n"
    change_cell(course, "ada", "predict", wrong, "2026-11-21 09:00:00 UTC")
    change_cell(course, "ben", "w1", "Another answer than the one that was read.")
    change_cell(course, "chloe", "normal_equation", "")


def assert_equal(ours: Path, theirs: Path) -> None:
    written, expected = tables(ours, set()), tables(theirs, set())
    assert written.keys() == expected.keys()
    for table, rows in expected.items():
        assert written[table] == rows, table
    files, expected_files = autograded(ours), autograded(theirs)
    assert files.keys() == expected_files.keys()
    for name, file in expected_files.items():
        assert files[name] == file, name


def test_a_class_that_is_new(new: tuple[Path, Path]) -> None:
    ours, theirs = new
    assert_equal(ours, theirs)
    found = tables(ours, set())
    assert len(found["student"]) == len(HANDED_IN)
    assert {row["late_submission_penalty"] is not None for row in found["submitted_notebook"]} == {
        True,
        False,
    }
    assert {row["auto_comment"] for row in found["comment"]} >= {"No response.", None}
    assert f"ada/{NAME}/data.csv" in autograded(ours)
    assert f"ada/{NAME}/page.html" not in autograded(ours)


def test_a_class_that_was_graded_by_hand_and_handed_in_again(
    new: tuple[Path, Path], run: Any, tmp_path: Path
) -> None:
    graded = Path(shutil.copytree(new[0], tmp_path / "graded", symlinks=True))
    mark_and_hand_in_again(graded)
    ours, theirs = by_each_command(graded, tmp_path, run)
    settled = {
        row["notebook_id"]: (row["manual_score"], bool(row["needs_manual_grade"]))
        for row in tables(ours, set())["grade"]
        if str(row["cell_id"]).endswith("/w1/GradeCell")
    }
    assert settled[f"ada/{NAME}"] == (2.0, False)
    assert settled[f"ben/{NAME}"] == (2.0, True)
    assert_equal(ours, theirs)
