"""A bonus on its whole way: released, graded on both paths, marked by hand, exported, read.

Everything of nbgrader's is the real thing: its stages, its Gradebook, its pages over HTTP.
"""

import csv
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from formgrader import ask, running
from line_fitting import (
    NAME,
    SOURCE,
    all_right,
    by_hand,
    cell_of,
    edit,
    gradebook,
    hand_in,
    keep,
    released,
    submitted,
)
from nbformat import NotebookNode

BONUS, CELL = "normal_equation", "test_normal_equation"
WRONG = "def normal_equation(*args, **named):\n    return None\n"

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("bonus")]


def solved(notebook: NotebookNode, _: str) -> None:
    pass


def wrong(notebook: NotebookNode, _: str) -> None:
    cell_of(notebook, BONUS).source = WRONG


def untouched(notebook: NotebookNode, stub: str) -> None:
    cell_of(notebook, BONUS).source = stub


def deleted(notebook: NotebookNode, _: str) -> None:
    notebook.cells.remove(cell_of(notebook, BONUS))


def late(notebook: NotebookNode, _: str) -> None:
    pass


FORMS = (solved, wrong, untouched, deleted, late)
LEFT_OUT = (untouched, deleted)
EARNED = {"solved": 3.0, "late": 3.0}


@pytest.fixture(scope="module")
def course(
    run: Any, make_line_fitting: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A graded class: a student for each form of the bonus, all else right."""
    root = make_line_fitting(tmp_path_factory.mktemp("bonus") / "course")
    with (root / "course_config.py").open("a", encoding="utf-8") as config:
        config.write('c.LateSubmissionPlugin.penalty_method = "zero"\n')
    keep(root, "predict", BONUS)
    edit(root / SOURCE, f'"{BONUS}" points=3', f'"{BONUS}" points=3 bonus')
    done = run("autograder", "release", cwd=root)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 exercises, 2 + 3 bonus points" in done.stdout
    stub = cell_of(released(root), BONUS).source
    for form in FORMS:
        notebook = all_right(root, form.__name__)
        form(notebook, stub)
        hour = 18 if form is late else 9
        hand_in(root, form.__name__, notebook, f"2026-11-20 {hour}:00:00 UTC")
    with gradebook(root) as book:
        book.update_or_create_assignment(NAME, duedate="2026-11-20 12:00:00 UTC")
    done = run("autograder", "grade", "--json", "marks.json", cwd=root)
    assert done.returncode == 0, done.stdout + done.stderr
    (root / "said.txt").write_text(done.stdout, encoding="utf-8")
    return root


@pytest.fixture
def own(course: Path, tmp_path: Path) -> Path:
    """The graded class again, for a test to change."""
    shutil.copytree(course, tmp_path / "course", symlinks=True)
    return tmp_path / "course"


def marks(course: Path) -> dict[str, dict[str, Any]]:
    listed = json.loads((course / "marks.json").read_text())["submissions"]
    return {one["student"]: one for one in listed}


def feedback(course: Path, run: Any) -> dict[str, str]:
    """Everybody's page."""
    done = run("autograder", "feedback", NAME, cwd=course)
    assert done.returncode == 0, done.stderr
    pages = (course / "feedback").glob(f"*/{NAME}/{NAME}.html")
    return {page.parts[-3]: " ".join(page.read_text(encoding="utf-8").split()) for page in pages}


def words(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def test_the_release_says_that_it_is_a_bonus_and_what_it_is_worth(course: Path) -> None:
    notebook = released(course)
    above = notebook.cells[notebook.cells.index(cell_of(notebook, BONUS)) - 1]
    assert above.cell_type == "markdown"
    assert "A bonus, worth 3 points on top" in above.source
    assert cell_of(notebook, CELL).metadata.nbgrader["points"] == 0
    start = (course / "release" / "README.md").read_text(encoding="utf-8")
    assert "| 1 exercise, 1 bonus exercise | 2 + 3 bonus |" in start
    assert "A **bonus** counts on top" in start


@pytest.mark.parametrize("form", FORMS, ids=lambda form: form.__name__)
def test_its_marks_count_on_top_and_leaving_it_out_costs_nothing(course: Path, form: Any) -> None:
    student = form.__name__
    earned = EARNED.get(student, 0.0)
    one = marks(course)[student]
    counts = 0.0 if form is late else 2 + earned
    assert (one["status"], one["score"], one["max_score"]) == ("graded", counts, 2.0)
    assert one["auto_score"] == one["score"] + one["late_penalty"] == 2 + earned
    assert {name: ex["bonus"] for name, ex in one["exercises"].items()} == {
        "predict": False,
        BONUS: True,
    }
    bonus = one["exercises"][BONUS]
    assert (bonus["score"], bonus["max_score"], bonus["pending_points"]) == (earned, 3.0, 0.0)
    with gradebook(course) as book:
        grade = book.find_grade(CELL, NAME, NAME, student)
        assert (grade.auto_score, grade.manual_score, grade.extra_credit) == (earned, None, None)
        assert (grade.max_score, grade.needs_manual_grade, grade.failed_tests) == (0, False, False)
        submission = book.find_submission(NAME, student)
        assert (submission.score, submission.max_score) == (2 + earned, 2.0)
        assert book.find_assignment(NAME).max_score == 2.0
        penalty = submission.late_submission_penalty
        assert penalty == (2 + earned if form is late else 0.0)


def test_the_table_says_what_is_a_bonus_and_no_problem_of_one_that_was_left_out(
    course: Path,
) -> None:
    said = (course / "said.txt").read_text(encoding="utf-8")
    rows = {line.split()[0]: line for line in said.splitlines() if NAME in line}
    assert "5 / 2" in rows["solved"]
    assert "3 of the points are a bonus" in rows["solved"]
    assert "bonus" not in rows["wrong"]
    assert rows["untouched"].split() == ["untouched", NAME, "2", "/", "2"]
    assert f"{BONUS}: missing_cell" not in said


def test_what_an_instructor_gave_survives_grading_again_on_both_paths(own: Path, run: Any) -> None:
    by_hand(own, "wrong", CELL, manual_score=1.0)
    by_hand(own, "solved", CELL, "Well *squared*.", extra_credit=0.5)
    by_hand(own, "untouched", CELL, extra_credit=0.25)
    changed = submitted(own, "untouched")
    cell_of(changed, BONUS).source = WRONG
    hand_in(own, "untouched", changed)
    for command in (("autograder", "grade"), ("nbgrader", "autograde")):
        shutil.rmtree(own / "autograded")
        done = run(*command, NAME, cwd=own)
        assert done.returncode == 0, done.stdout + done.stderr
        with gradebook(own) as book:
            scores = {form: book.find_submission(NAME, form.__name__).score for form in FORMS}
            assert scores == {solved: 5.5, wrong: 3.0, untouched: 2.25, deleted: 2.0, late: 5.0}
            comment = book.find_comment(BONUS, NAME, NAME, "solved")
            assert comment.comment == "Well *squared*."
    page = feedback(own, run)["solved"]
    assert "<b>5.5</b> of 2 points" in page
    assert "Your instructor set these marks: <b>3.5 bonus points" in page
    assert "Well <em>squared</em>." in page


def test_nbgrader_exports_scores_above_the_maximum(own: Path, run: Any) -> None:
    assert run("nbgrader", "export", cwd=own).returncode == 0
    with (own / "grades.csv").open(encoding="utf-8") as file:
        rows = {row["student_id"]: row for row in csv.DictReader(file)}
    assert {float(row["max_score"]) for row in rows.values()} == {2.0}
    scores = {student: float(row["score"]) for student, row in rows.items()}
    assert scores == {"solved": 5.0, "wrong": 2.0, "untouched": 2.0, "deleted": 2.0, "late": 0.0}


def test_feedback_says_bonus_in_words(own: Path, run: Any) -> None:
    pages = {student: words(page) for student, page in feedback(own, run).items()}
    page = pages["solved"]
    assert "5 of 2 points" in page
    assert "This counts 3 bonus points on top of the maximum." in page
    assert "3 of 3 bonus points" in page
    assert "3 / 0" not in page
    penalised = pages["late"]
    assert "0 of 2 points" in penalised
    assert "Handed in late: 5 points taken off." in penalised
    for form in LEFT_OUT:
        kind = pages[form.__name__]
        assert "2 of 2 points" in kind
        assert "This exercise is a bonus: it is optional" in kind
        assert "normal_equation A bonus, not tried optional" in kind
        assert "still open" not in kind
        assert "Cell missing" not in kind


def test_formgrader_shows_the_marks_and_takes_extra_credit(
    own: Path, scripts: Path, environment: dict[str, str]
) -> None:
    with running(own, scripts, environment) as server:
        listed = {one["student"]: one for one in ask(f"{server}/formgrader/api/submissions/{NAME}")}
        assert (listed["solved"]["score"], listed["solved"]["max_score"]) == (5.0, 2.0)
        assert not any(one["needs_manual_grade"] for one in listed.values())
        with gradebook(own) as book:
            one = book.find_submission_notebook(NAME, NAME, "solved").id
        page = ask(f"{server}/formgrader/submissions/{one}/")
        assert page.count("A bonus, shown to graders alone.") == 1
        assert "3</b> of 3 bonus points" in page
        grades = ask(f"{server}/formgrader/api/grades?submission_id={one}")
        (grade,) = [one for one in grades if one["name"] == CELL]
        assert (grade["auto_score"], grade["max_score"]) == (3.0, 0.0)
        marked = json.dumps(grade | {"extra_credit": 0.5}).encode()
        ask(f"{server}/formgrader/api/grade/{grade['id']}", marked, "PUT")
    with gradebook(own) as book:
        assert book.find_submission(NAME, "solved").score == 5.5
