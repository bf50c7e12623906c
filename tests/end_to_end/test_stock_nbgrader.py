"""Fail closed: nbgrader without our configuration gives nothing; with it, nothing is lost."""

import json
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import nbformat
from marks import in_gradebook

NAME = "04-multi-head-attention"


def test_without_our_configuration_full_marks_are_zero(
    graded: tuple, run: Any, tmp_path: Path
) -> None:
    folder = graded[0]
    (tmp_path / "nbgrader_config.py").write_text("c = get_config()\n")
    shutil.copytree(folder / "assignments" / NAME, tmp_path / "source" / NAME)
    shutil.copytree(folder / "submitted" / "ada" / NAME, tmp_path / "submitted" / "ada" / NAME)
    # What students have beside the notebook, so that the visible checks pass.
    checks = folder / "release" / NAME / "checks"
    shutil.copytree(checks, tmp_path / "source" / NAME / "checks", dirs_exist_ok=True)
    done = run("nbgrader", "generate_assignment", NAME, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    done = run("nbgrader", "autograde", NAME, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    grades = in_gradebook(tmp_path)
    assert grades.pop(("ada", NAME, "w1")) == (None, True)  # a person reads it
    assert {score for score, _ in grades.values()} == {0.0}
    assert len(grades) == 13
    assert (
        "hidden tests run in" in (tmp_path / "autograded/ada" / NAME / f"{NAME}.ipynb").read_text()
    )


def test_an_old_score_does_not_outlive_a_notebook_that_broke(
    graded: tuple, run: Any, tmp_path: Path
) -> None:
    course = tmp_path / "course"
    shutil.copytree(graded[0], course, symlinks=True)
    notebook = course / "submitted" / "ada" / NAME / f"{NAME}.ipynb"
    for command in (
        ("autograder", "grade", "--student", "ada"),
        ("nbgrader", "autograde", "--student", "ada"),
    ):
        before = in_gradebook(course)
        whole = notebook.read_text(encoding="utf-8")
        assert before["ada", NAME, "test_split_heads"][0] == 2.0
        notebook.write_text(whole[:-200], encoding="utf-8")
        done = run(*command[:2], NAME, *command[2:], cwd=course)
        assert done.returncode == 1
        assert in_gradebook(course)["ada", NAME, "test_split_heads"] == (None, True)
        assert in_gradebook(course)["emeka", NAME, "test_split_heads"][0] == 2.0
        notebook.write_text(whole, encoding="utf-8")
        assert run("autograder", "grade", NAME, "--student", "ada", cwd=course).returncode == 0


def test_manual_marks_and_comments_survive_grading_again(
    graded: tuple, run: Any, tmp_path: Path
) -> None:
    course = tmp_path / "course"
    shutil.copytree(graded[0], course, symlinks=True)
    with sqlite3.connect(course / "gradebook.db") as database:
        database.execute("update grade set manual_score = 1.25")
        database.execute("update comment set manual_comment = 'well argued'")
    assert run("autograder", "grade", NAME, "--student", "ada", cwd=course).returncode == 0
    with sqlite3.connect(course / "gradebook.db") as database:
        assert set(database.execute("select manual_score from grade")) == {(1.25,)}
        assert set(database.execute("select manual_comment from comment")) == {("well argued",)}


def test_tampering_is_undone_in_the_autograded_notebook(graded: tuple) -> None:
    name = "01-attention-by-hand"
    path = graded[0] / "autograded" / "goran" / name / f"{name}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    marks = [cell.metadata.get("nbgrader", {}) for cell in notebook.cells]
    points = [mark["points"] for mark in marks if mark.get("grade")]
    assert sum(points) == 29
    assert len(points) == 21
    assert "10 points" not in json.dumps(notebook)
