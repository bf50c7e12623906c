"""Fail closed: nbgrader without our configuration gives nothing; with it, nothing is lost."""

import json
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import nbformat
from line_fitting import NAME, WHOLE
from marks import in_gradebook


def test_without_our_configuration_full_marks_are_zero(
    small_class: Path, run: Any, tmp_path: Path
) -> None:
    (tmp_path / "nbgrader_config.py").write_text("c = get_config()\n")
    shutil.copytree(small_class / "assignments" / NAME, tmp_path / "source" / NAME)
    shutil.copytree(small_class / "submitted" / "ada" / NAME, tmp_path / "submitted" / "ada" / NAME)
    # What students have beside the notebook, so that the visible checks pass.
    checks = small_class / "release" / NAME / "checks"
    shutil.copytree(checks, tmp_path / "source" / NAME / "checks", dirs_exist_ok=True)
    done = run("nbgrader", "generate_assignment", NAME, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    done = run("nbgrader", "autograde", NAME, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    grades = in_gradebook(tmp_path)
    assert grades.pop(("ada", NAME, "w1")) == (None, True)  # a person reads it
    assert {score for score, _ in grades.values()} == {0.0}
    assert len(grades) == 11
    assert (
        "hidden tests run in" in (tmp_path / "autograded/ada" / NAME / f"{NAME}.ipynb").read_text()
    )


def test_an_old_score_does_not_outlive_a_notebook_that_broke(
    small_class: Path, run: Any, tmp_path: Path
) -> None:
    course = tmp_path / "course [2026]"
    shutil.copytree(small_class, course, symlinks=True)
    notebook = course / "submitted" / "ada" / NAME / f"{NAME}.ipynb"
    for command in (
        ("autograder", "grade", "--student", "ada"),
        ("nbgrader", "autograde", "--student", "ada"),
    ):
        before = in_gradebook(course)
        whole = notebook.read_text(encoding="utf-8")
        assert before["ada", NAME, "test_predict"][0] == 2.0
        notebook.write_text(whole[:-200], encoding="utf-8")
        done = run(*command[:2], NAME, *command[2:], cwd=course)
        assert done.returncode == 1
        assert in_gradebook(course)["ada", NAME, "test_predict"] == (None, True)
        assert in_gradebook(course)["ben", NAME, "test_predict"][0] == 2.0
        notebook.write_text(whole, encoding="utf-8")
        assert run("autograder", "grade", NAME, "--student", "ada", cwd=course).returncode == 0


def test_manual_marks_and_comments_survive_grading_again(
    small_class: Path, run: Any, tmp_path: Path
) -> None:
    course = tmp_path / "course"
    shutil.copytree(small_class, course, symlinks=True)
    with sqlite3.connect(course / "gradebook.db") as database:
        database.execute("update grade set manual_score = 1.25")
        database.execute("update comment set manual_comment = 'well argued'")
    assert run("autograder", "grade", NAME, "--student", "ada", cwd=course).returncode == 0
    with sqlite3.connect(course / "gradebook.db") as database:
        assert set(database.execute("select manual_score from grade")) == {(1.25,)}
        assert set(database.execute("select manual_comment from comment")) == {("well argued",)}


def test_tampering_is_undone_in_the_autograded_notebook(small_class: Path) -> None:
    path = small_class / "autograded" / "goran" / NAME / f"{NAME}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    marks = [cell.metadata.get("nbgrader", {}) for cell in notebook.cells]
    points = [mark["points"] for mark in marks if mark.get("grade")]
    assert sum(points) == WHOLE
    assert len(points) == 12
    assert "everything passed" not in json.dumps(notebook)
