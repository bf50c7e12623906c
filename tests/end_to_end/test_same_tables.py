"""`autograder grade` writes what `nbgrader autograde` writes: every row, notebook and file."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from nbgrader.api import Gradebook
from same_tables import autograded, tables

pytestmark = pytest.mark.slow

ASSIGNMENT = "01-attention-by-hand"
STUDENTS = ("ada", "ben", "chloe", "dina")
LATE = """
c.LateSubmissionPlugin.penalty_method = "zero"
"""


@pytest.fixture(scope="module")
def course(
    graded: tuple[Path, dict[str, Any], Any], run: Any, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """One assignment, handed in by four, two of them late; nothing is graded yet but verdicts."""
    folder = tmp_path_factory.mktemp("same-tables") / "course"
    shutil.copytree(graded[0], folder, symlinks=True)
    (folder / "gradebook.db").unlink()
    for derived in ("autograded", "feedback", "release", "submitted"):
        shutil.rmtree(folder / derived, ignore_errors=True)
    with (folder / "course_config.py").open("a") as config:
        config.write(LATE)
    sources = {"dina": "chloe"}
    for student in STUDENTS:
        came_from = graded[0] / "submitted" / sources.get(student, student) / ASSIGNMENT
        shutil.copytree(came_from, folder / "submitted" / student / ASSIGNMENT)
        hand_in_at(folder, student, "2026-11-20 12:00:00 UTC")
    hand_in_at(folder, "ben", "2026-11-20 18:00:00 UTC")
    hand_in_at(folder, "dina", "2026-11-20 14:00:00 +0100")
    (folder / "submitted" / "ada" / ASSIGNMENT / "data.csv").write_text("1,2\n")
    (folder / "submitted" / "ada" / ASSIGNMENT / "page.html").write_text("<script>")
    assert run("autograder", "release", ASSIGNMENT, cwd=folder).returncode == 0
    with Gradebook(f"sqlite:///{folder / 'gradebook.db'}", "attention") as gradebook:
        gradebook.update_or_create_assignment(ASSIGNMENT, duedate="2026-11-20 12:30:00 UTC")
    return folder


@pytest.fixture
def ours_and_theirs(course: Path, tmp_path: Path, run: Any) -> Callable[..., tuple[Path, Path]]:
    """Copy a course twice, and grade one copy by each command."""

    def both(course: Path = course, change: Callable[[Path], None] = lambda _: None) -> Any:
        folders = tmp_path / "ours", tmp_path / "theirs"
        for folder in folders:
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(course, folder, symlinks=True)
            change(folder)
        done = run("autograder", "grade", ASSIGNMENT, cwd=folders[0])
        assert done.returncode == 0, done.stdout + done.stderr
        kept = ".autograder/verdicts"
        shutil.copytree(folders[0] / kept, folders[1] / kept, dirs_exist_ok=True)
        done = run("nbgrader", "autograde", ASSIGNMENT, cwd=folders[1])
        assert done.returncode == 0, done.stderr
        return folders

    return both


def hand_in_at(course: Path, student: str, when: str) -> None:
    (course / "submitted" / student / ASSIGNMENT / "timestamp.txt").write_text(when + "\n")


def change_cell(course: Path, student: str, name: str, source: str) -> None:
    path = course / "submitted" / student / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"
    notebook = json.loads(path.read_text(encoding="utf-8"))
    (cell,) = (
        cell
        for cell in notebook["cells"]
        if cell["metadata"].get("nbgrader", {}).get("grade_id") == name
    )
    cell["source"] = source
    path.write_text(json.dumps(notebook), encoding="utf-8")


def by_hand(course: Path) -> None:
    """What an instructor does between two runs, and what students hand in anew."""
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}", "attention") as gradebook:
        names = ASSIGNMENT, ASSIGNMENT
        better = gradebook.find_grade("test_softmax", *names, "ben")
        better.manual_score, better.needs_manual_grade = 1.5, False
        better.extra_credit = 0.25
        for student in ("ada", "ben"):
            written = gradebook.find_grade("w1", *names, student)
            written.manual_score, written.needs_manual_grade = 2.0, False
            gradebook.find_comment("w1", *names, student).manual_comment = f"Well put, {student}."
        gradebook.db.commit()
        gradebook.grant_extension(ASSIGNMENT, "dina", hours=3)
    change_cell(course, "ada", "softmax", "def softmax(scores):\n    return scores\n")
    change_cell(course, "ben", "w1", "Another answer than the one that was read.")
    change_cell(course, "chloe", "w1", "")
    hand_in_at(course, "ada", "2026-11-21 09:00:00 UTC")


def assert_equal(ours: Path, theirs: Path) -> None:
    written, expected = tables(ours, set()), tables(theirs, set())
    assert written.keys() == expected.keys()
    for table, rows in expected.items():
        assert written[table] == rows, table
    files, expected_files = autograded(ours), autograded(theirs)
    assert files.keys() == expected_files.keys()
    for name, file in expected_files.items():
        assert files[name] == file, name


def test_a_class_that_is_new(ours_and_theirs: Callable[..., tuple[Path, Path]]) -> None:
    ours, theirs = ours_and_theirs()
    assert_equal(ours, theirs)
    found = tables(ours, set())
    assert len(found["student"]) == len(STUDENTS)
    assert {row["late_submission_penalty"] is not None for row in found["submitted_notebook"]} == {
        True,
        False,
    }
    assert {row["auto_comment"] for row in found["comment"]} >= {"No response.", None}
    assert "ada/01-attention-by-hand/data.csv" in autograded(ours)
    assert "ada/01-attention-by-hand/page.html" not in autograded(ours)


def test_a_class_that_was_graded_by_hand_and_handed_in_again(
    ours_and_theirs: Callable[..., tuple[Path, Path]], tmp_path: Path
) -> None:
    first, _ = ours_and_theirs()
    graded = tmp_path / "graded"
    first.rename(graded)
    ours, theirs = ours_and_theirs(graded, by_hand)
    settled = {
        row["notebook_id"]: (row["manual_score"], bool(row["needs_manual_grade"]))
        for row in tables(ours, set())["grade"]
        if str(row["cell_id"]).endswith("/w1/GradeCell")
    }
    assert settled["ada/01-attention-by-hand"] == (2.0, False)
    assert settled["ben/01-attention-by-hand"] == (2.0, True)
    assert_equal(ours, theirs)
