"""The table, `--json`, the feedback page and nbgrader's export say one and the same of a class.

With marks by hand, extra credit and late penalties, whether or not anything was handed in anew.
"""

import csv
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from line_fitting import NAME, all_right, by_hand, gradebook, hand_in, keep

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("marks that count")]

LATE = """
from nbgrader.plugins import LateSubmissionPlugin

class Halfpoint(LateSubmissionPlugin):
    def late_submission_penalty(self, student_id, score, total_seconds_late):
        return 0.5

c.AssignLatePenalties.plugin_class = Halfpoint
"""


@pytest.fixture(scope="module")
def course(
    make_line_fitting: Callable[[Path], Path], run: Any, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """Five students with right answers; then an instructor changes marks, and one is unreadable.

    ben is marked by hand and late, chloe has extra credit, dan both by hand, and eve, who was
    marked by hand, hands in what is no notebook.
    """
    root = make_line_fitting(tmp_path_factory.mktemp("counting") / "course")
    with (root / "course_config.py").open("a", encoding="utf-8") as config:
        config.write(LATE)
    keep(root, "predict", "mean_squared_error")
    assert run("autograder", "release", NAME, cwd=root).returncode == 0
    with gradebook(root) as book:
        book.update_or_create_assignment(NAME, duedate="2026-11-20 12:00:00 UTC")
    for student in ("ada", "ben", "chloe", "dan", "eve"):
        hour = 18 if student == "ben" else 9
        hand_in(root, student, all_right(root, student), f"2026-11-20 {hour}:00:00 UTC")
    assert run("autograder", "grade", cwd=root).returncode == 0
    by_hand(root, "ben", "test_predict", manual_score=1.25)
    by_hand(root, "chloe", "test_mean_squared_error", extra_credit=0.75)
    by_hand(root, "dan", "test_predict", manual_score=0.0, extra_credit=0.25)
    by_hand(root, "eve", "test_predict", manual_score=1.0)
    (root / "submitted" / "eve" / NAME / f"{NAME}.ipynb").write_text("{")
    return root


def grade(root: Path, run: Any, *options: str) -> tuple[dict[tuple[str, str], Any], str]:
    done = run("autograder", "grade", *options, "--json", "marks.json", cwd=root)
    found = json.loads((root / "marks.json").read_text())["submissions"]
    return {(one["student"], one["assignment"]): one for one in found}, done.stdout


def exported(root: Path, run: Any) -> dict[tuple[str, str], dict[str, str]]:
    done = run("nbgrader", "export", cwd=root)
    assert done.returncode == 0, done.stderr
    with (root / "grades.csv").open(encoding="utf-8") as file:
        return {(row["student_id"], row["assignment"]): row for row in csv.DictReader(file)}


def test_the_json_and_the_table_say_what_is_exported(course: Path, run: Any) -> None:
    marks, said = grade(course, run)
    rows = exported(course, run)
    assert marks.keys() == rows.keys()
    lines = [line.split() for line in said.splitlines()]
    for (student, name), one in marks.items():
        row = rows[student, name]
        if one["status"] == "ungraded":
            assert (student, one["score"], one["max_score"]) == ("eve", None, None)
            assert float(row["score"]) == one["manual_score"] == 1.0
            continue
        assert one["score"] == float(row["score"])
        assert one["max_score"] == float(row["max_score"])
        assert one["late_penalty"] == float(row["late_submission_penalty"] or 0)
        assert [student, name, f"{one['score']:g}", "/", f"{one['max_score']:g}"] in [
            line[:5] for line in lines
        ]
    assert marks["ben", NAME]["score"] == 1.25 + 2 - 0.5
    assert marks["chloe", NAME]["score"] == 4.75
    assert marks["dan", NAME]["score"] == 2.25


def test_what_people_made_of_the_marks_stands_beside_them(course: Path, run: Any) -> None:
    marks, said = grade(course, run, NAME)
    ben = marks["ben", NAME]
    assert (ben["auto_score"], ben["manual_score"], ben["late_penalty"]) == (4.0, 1.25, 0.5)
    marked, other = ben["exercises"]["predict"], ben["exercises"]["mean_squared_error"]
    assert (marked["score"], marked["auto_score"], marked["manual_score"]) == (1.25, 2.0, 1.25)
    assert (other["score"], other["auto_score"], other["manual_score"]) == (2.0, 2.0, None)
    assert marks["chloe", NAME]["extra_credit"] == 0.75
    assert marks["ada", NAME]["manual_score"] is None
    said = " ".join(said.split())
    assert "2.75 / 4 marked by hand: predict; late: 0.5 points taken off" in said
    assert "4.75 / 4 0.75 points of extra credit" in said
    assert "marked by hand: predict" in said.partition("eve")[2]


def test_one_student_alone_is_told_the_same(course: Path, run: Any) -> None:
    everyone, _ = grade(course, run)
    for command in ((), ("--student", "ben", NAME)):
        marks, _ = grade(course, run, *command)
        assert marks["ben", NAME] == everyone["ben", NAME]


def test_the_page_says_the_same(course: Path, run: Any) -> None:
    marks, _ = grade(course, run, NAME)
    assert run("autograder", "feedback", NAME, cwd=course).returncode == 0
    for student in ("ada", "ben", "chloe", "dan"):
        page = course / "feedback" / student / NAME / f"{NAME}.html"
        one = marks[student, NAME]
        total = f"<b>{one['score']:g}</b> of {one['max_score']:g} points"
        assert total in page.read_text(encoding="utf-8")
