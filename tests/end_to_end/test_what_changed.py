"""A key, points and answers change after grading: what is told beforehand is what then happens."""

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest
from gradebook_rows import query, url_of
from line_fitting import NAME, SOURCE, all_right, by_hand, cell_of, edit, hand_in, submitted
from log_of_marks import lines, log_file, marks_in_gradebook, marks_in_log
from sqlalchemy import create_engine, text

QUIZ = "solutions/line_fitting/quiz.toml"
TENTH = """
from nbgrader.plugins import LateSubmissionPlugin

class Tenth(LateSubmissionPlugin):
    def late_submission_penalty(self, student_id, score, total_seconds_late):
        return score / 10

c.AssignLatePenalties.plugin_class = Tenth
"""
KEY_CHANGED = "its question or key has changed"
VOID_CHANGED = "whether it is void has changed"


def tree(course: Path) -> dict[str, bytes]:
    """Every file but the verdicts that are kept, which may be more."""
    kept = course / ".autograder" / "verdicts"
    paths = (path for path in course.rglob("*") if path.is_file() and kept not in path.parents)
    return {str(path.relative_to(course)): path.read_bytes() for path in paths}


def execute(course: Path, statement: str) -> None:
    engine = create_engine(url_of(course))
    with engine.begin() as connection:
        assert connection.execute(text(statement)).rowcount > 0
    engine.dispose()


@pytest.fixture(scope="module")
def graded(small_class: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The graded class with marks by hand, late penalties, and a log; nothing has changed yet."""
    course = tmp_path_factory.mktemp("changed") / "course"
    shutil.copytree(small_class, course, symlinks=True)
    by_hand(course, "ada", "w1", manual_score=2.5)
    by_hand(course, "ben", "test_fit", extra_credit=0.5)
    by_hand(course, "ben", "test_mean_squared_error", manual_score=1.5)
    return course


@pytest.fixture(scope="module")
def changed(graded: Path, run: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same after changes of every kind, and nothing graded again yet."""
    course = tmp_path_factory.mktemp("changed") / "course"
    shutil.copytree(graded, course, symlinks=True)
    notebook = submitted(course, "chloe")
    cell_of(notebook, "q1").source = 'q1 = "C"'
    cell_of(notebook, "q2").source = 'q2 = "A"'
    cell_of(notebook, "k1").source = "k1 = -1"
    hand_in(course, "chloe", notebook)
    hand_in(course, "zoë", all_right(course, "zoë"))
    hand_in(course, "ada", submitted(course, "ada"), "2026-11-21 12:00:00 UTC")
    (course / "submitted" / "goran" / NAME / f"{NAME}.ipynb").write_text("{")
    execute(course, "update assignment set duedate = '2026-11-20 12:00:00.000000'")
    with (course / "course_config.py").open("a") as config:
        config.write(TENTH)
    edit(course / QUIZ, 'name = "q1"\n', 'name = "q1"\naccept = ["C"]\n')
    edit(course / QUIZ, 'name = "q2"\n', 'name = "q2"\nvoid = true\n')
    edit(course / QUIZ, 'key = "height - loss * hours"', 'key = "height - loss * hours + 100"')
    edit(course / SOURCE, '"predict" points=2', '"predict" points=3')
    edit(course / SOURCE, '"mean_squared_error" points=2', '"mean_squared_error" points=2 void')
    return course


def test_a_dry_run_tells_what_grading_then_does_and_writes_nothing(changed: Path, run: Any) -> None:
    before = tree(changed)
    told = run("autograder", "grade", "--dry-run", "--json", "../told.json", cwd=changed)
    assert told.returncode == 1, told.stderr  # one of them would have no marks any more
    assert tree(changed) == before
    # In a file no row is folded: each reason is a whole one.
    assert told.stdout.count(VOID_CHANGED) == 2
    moves = json.loads((changed.parent / "told.json").read_text(encoding="utf-8"))
    assert {one["exercise"]: one["why"] for one in moves["changed"]} == {
        **{"k1": KEY_CHANGED, "q1": KEY_CHANGED, "q2": KEY_CHANGED},
        "predict": "its points have changed",
        "mean_squared_error": VOID_CHANGED,
    }
    by_student = {one["student"]: one for one in moves["submissions"]}
    assert by_student["ben"]["exercises"]["k1"] == {
        **{"from": 1.0, "to": 0.0, "change": -1.0, "max_from": 1.0, "max_to": 1.0},
        "why": KEY_CHANGED,
    }
    assert list(by_student["chloe"]["exercises"]) == ["k1", "predict", "mean_squared_error"]
    void = by_student["chloe"]["exercises"]["mean_squared_error"]
    assert (void["from"], void["to"]) == (0.0, 2.0)
    assert void["why"].endswith(VOID_CHANGED)
    assert "mean_squared_error" not in by_student["ben"]["exercises"]  # marks by hand stand
    assert by_student["zoë"]["from"] is None
    assert "bad_notebook" in told.stdout
    order = [(-abs(one["change"]), one["student"]) for one in moves["submissions"]]
    assert order == sorted(order)

    done = run("autograder", "grade", "--json", "../done.json", cwd=changed)
    assert done.returncode == 1, done.stdout
    real = json.loads((changed.parent / "done.json").read_text(encoding="utf-8"))["submissions"]
    assert {one["student"]: one["score"] for one in real} == {
        student: one["to"] for student, one in by_student.items()
    }
    assert {one["late_penalty"] > 0 for one in real if one["student"] == "ada"} == {True}
    for one in real:
        for name, moved in by_student[one["student"]]["exercises"].items():
            assert one["exercises"][name]["score"] == moved["to"], (one["student"], name)
    again = run("autograder", "grade", "--dry-run", cwd=changed)
    assert "0 of 5 submissions would move, 0 points in all. Nothing was written." in again.stdout
    assert again.returncode == 1
    assert "1 of 5 would have no marks, for the reasons above." in again.stdout
    assert "goran" in again.stdout.partition("0 of 5")[0]  # its reason stands where no mark moves


def test_every_write_is_logged_with_its_reason(changed: Path, run: Any) -> None:
    run("autograder", "grade", cwd=changed)
    assert marks_in_log(changed, NAME) == marks_in_gradebook(changed, NAME)
    found = {(one["student"], one["exercise"], one["what"]): one for one in lines(changed, NAME)}
    key = found["ben", "k1", "auto_score"]
    assert (key["from"], key["to"], key["why"], key["by"]) == (1, 0, KEY_CHANGED, "autograder")
    assert found["ben", "predict", "auto_score"]["why"] == "its points have changed"
    assert found["ada", None, "late_penalty"]["to"] > 0
    assert found[None, "predict", "points"]["from"] == 2
    assert found["zoë", "k2", "auto_score"]["why"] == "graded for the first time"
    assert "bad_notebook" in found["goran", None, "auto_score"]["why"]
    assert "another version was handed in" in found["chloe", "k1", "auto_score"]["why"]
    hand = found["ada", "w1", "manual_score"]
    assert (hand["from"], hand["to"], hand["by"]) == (None, 2.5, "person")
    assert found["ben", "fit", "extra_credit"]["to"] == 0.5


def test_what_a_question_is_ruled_to_be_stands_on_the_page(changed: Path, run: Any) -> None:
    run("autograder", "grade", cwd=changed)
    done = run("autograder", "feedback", NAME, cwd=changed)
    assert done.returncode == 0, done.stderr
    pages = {
        student: (changed / "feedback" / student / NAME / f"{NAME}.html").read_text("utf-8")
        for student in ("ada", "chloe")
    }
    void = "This question is void: everyone who was asked gets its points"
    accepted = "This question accepts more than one answer, and yours is one of them."
    assert [void in page for page in pages.values()] == [True, True]
    assert [accepted in page for page in pages.values()] == [False, True]
    section = re.search(
        r'<section class="agf[^>]*Feedback on q2.*?</section>', pages["chloe"], re.S
    )
    assert section
    assert "Void, with all points" in section[0]
    assert "1</b> of 1 point" in section[0]
    assert "The slope of the line is something else" not in pages["chloe"]
    assert "This exercise is void: everyone who was asked gets its points" in pages["chloe"]


def test_marks_of_formgrader_and_of_nbgrader_are_in_the_log_too(
    graded: Path, run: Any, tmp_path: Path
) -> None:
    course = Path(shutil.copytree(graded, tmp_path / "course", symlinks=True))
    shown = run("autograder", "log", "--json", "log.json", cwd=course)
    assert shown.returncode == 0, shown.stderr
    assert "by hand" in shown.stdout
    told = json.loads((course / "log.json").read_text(encoding="utf-8"))
    by_people = {
        (one["student"], one["exercise"]): one["to"] for one in told if one["by"] == "person"
    }
    assert by_people == {
        ("ada", "w1"): 2.5,
        ("ben", "fit"): 0.5,
        ("ben", "mean_squared_error"): 1.5,
    }
    edit(course / QUIZ, 'key = "height - loss * hours"', 'key = "height - loss * hours + 100"')
    count = len(lines(course, NAME))
    done = run("nbgrader", "autograde", NAME, "--student", "ada", cwd=course)
    assert done.returncode == 0, done.stderr
    new = lines(course, NAME)[count:]
    assert [(one["student"], one["exercise"], one["from"], one["to"]) for one in new] == [
        ("ada", None, 20.0, None),
        ("ada", "k1", 1.0, 0.0),
        ("ada", None, None, 19.0),
    ]
    assert {one["by"] for one in new} == {"autograder"}


def test_a_dry_run_makes_no_gradebook(graded: Path, run: Any, tmp_path: Path) -> None:
    course = Path(shutil.copytree(graded, tmp_path / "course", symlinks=True))
    (course / "gradebook.db").unlink()
    before = tree(course)
    told = run("autograder", "grade", "--dry-run", "--student", "ada", cwd=course)
    assert told.returncode == 0, told.stderr
    assert "1 of 1 submissions would move, +20 points in all." in told.stdout
    assert tree(course) == before
    refused = run("autograder", "grade", "--dry-run", "--junit", "x.xml", cwd=course)
    assert refused.returncode == 2
    assert not log_file(course, "x").exists()
    assert query(url_of(graded), "select count(*) from student")[0][0] == 4
