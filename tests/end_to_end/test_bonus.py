"""A bonus on its whole way: released, graded on both paths, marked by hand, exported, read.

Everything of nbgrader's is the real thing: its stages, its Gradebook, its pages over HTTP.
"""

import copy
import csv
import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from formgrader import ask, running
from nbformat import NotebookNode
from nbgrader.api import Gradebook
from same_tables import autograded, tables
from small_curriculum import keep_assignments

NAME = "03-causal-masking"
BONUS, CELL = "sliding_window_mask", "test_sliding_window_mask"
PERCENT = """\
# %%
import math

import torch
from jaxtyping import Bool, Float, Int
from torch import Tensor, nn

# %% exercise="causal_mask" points=2

# %% exercise="sliding_window_mask" points=3 bonus
"""
WRONG = "def sliding_window_mask(*args, **named):\n    return None\n"

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("bonus")]


def solved(notebook: NotebookNode, solution: str) -> None:
    cell_of(notebook).source = solution


def wrong(notebook: NotebookNode, _: str) -> None:
    cell_of(notebook).source = WRONG


def untouched(notebook: NotebookNode, _: str) -> None:
    pass


def deleted(notebook: NotebookNode, _: str) -> None:
    notebook.cells.remove(cell_of(notebook))


def late(notebook: NotebookNode, solution: str) -> None:
    solved(notebook, solution)


FORMS = (solved, wrong, untouched, deleted, late)
LEFT_OUT = (untouched, deleted)
EARNED = {"solved": 3.0, "late": 3.0}


def cell_of(notebook: NotebookNode, name: str = BONUS) -> NotebookNode:
    (found,) = [c for c in notebook.cells if c.metadata.get("nbgrader", {}).get("grade_id") == name]
    return found


@pytest.fixture(scope="module")
def ungraded(
    run: Any, make_course: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A released course and what a class handed in: a student for each form, all else right."""
    root = make_course(tmp_path_factory.mktemp("bonus") / "course")
    keep_assignments(root, [NAME])
    with (root / "course_config.py").open("a", encoding="utf-8") as config:
        config.write('c.LateSubmissionPlugin.penalty_method = "zero"\n')
    source = root / "assignments" / NAME / f"{NAME}.py"
    source.write_text(PERCENT, encoding="utf-8")
    done = run("autograder", "release", cwd=root)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 exercises, 2 + 3 bonus points" in done.stdout
    released = nbformat.read(root / "release" / NAME / f"{NAME}.ipynb", as_version=4)
    reference = nbformat.read(source.with_suffix(".ipynb"), as_version=4)
    for form in FORMS:
        notebook = copy.deepcopy(released)
        cell_of(notebook, "causal_mask").source = cell_of(reference, "causal_mask").source
        form(notebook, cell_of(reference).source)
        folder = root / "submitted" / form.__name__ / NAME
        folder.mkdir(parents=True)
        (folder / f"{NAME}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
        hour = 18 if form is late else 9
        (folder / "timestamp.txt").write_text(f"2026-11-20 {hour}:00:00 UTC\n")
    with gradebook(root) as book:
        book.update_or_create_assignment(NAME, duedate="2026-11-20 12:00:00 UTC")
    return root


@pytest.fixture(scope="module")
def course(ungraded: Path, run: Any, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The class, graded by `autograder grade`."""
    root = tmp_path_factory.mktemp("graded bonus") / "course"
    shutil.copytree(ungraded, root, symlinks=True)
    done = run("autograder", "grade", "--json", "marks.json", cwd=root)
    assert done.returncode == 0, done.stdout + done.stderr
    (root / "said.txt").write_text(done.stdout, encoding="utf-8")
    return root


@pytest.fixture
def own(course: Path, tmp_path: Path) -> Path:
    """The graded class again, for a test to change."""
    shutil.copytree(course, tmp_path / "course", symlinks=True)
    return tmp_path / "course"


def gradebook(course: Path) -> Gradebook:
    return Gradebook(f"sqlite:///{course / 'gradebook.db'}", "attention")


def marks(course: Path) -> dict[str, dict[str, Any]]:
    listed = json.loads((course / "marks.json").read_text())["submissions"]
    return {one["student"]: one for one in listed}


def feedback(course: Path, run: Any, student: str, *options: str) -> str:
    done = run("nbgrader", "generate_feedback", NAME, "--force", *options, cwd=course)
    assert done.returncode == 0, done.stderr
    page = course / "feedback" / student / NAME / f"{NAME}.html"
    return re.sub(r"\s+", " ", page.read_text(encoding="utf-8"))


def words(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def test_the_release_says_that_it_is_a_bonus_and_what_it_is_worth(ungraded: Path) -> None:
    notebook = nbformat.read(ungraded / "release" / NAME / f"{NAME}.ipynb", as_version=4)
    above = notebook.cells[notebook.cells.index(cell_of(notebook)) - 1]
    assert above.cell_type == "markdown"
    assert "A bonus, worth 3 points on top" in above.source
    assert cell_of(notebook, CELL).metadata.nbgrader["points"] == 0
    start = (ungraded / "release" / "README.md").read_text(encoding="utf-8")
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
        "causal_mask": False,
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


def test_nbgrader_autograde_writes_the_same_tables(
    ungraded: Path, course: Path, run: Any, tmp_path: Path
) -> None:
    theirs = tmp_path / "theirs"
    shutil.copytree(ungraded, theirs, symlinks=True)
    shutil.copytree(course / ".autograder", theirs / ".autograder", dirs_exist_ok=True)
    done = run("nbgrader", "autograde", NAME, cwd=theirs)
    assert done.returncode == 0, done.stderr
    assert "Partial" not in done.stderr
    ours, expected = tables(course, set()), tables(theirs, set())
    assert ours.keys() == expected.keys()
    for table, rows in expected.items():
        assert ours[table] == rows, table
    assert autograded(course) == autograded(theirs)


def test_what_an_instructor_gave_survives_grading_again_on_both_paths(own: Path, run: Any) -> None:
    with gradebook(own) as book:
        manual = book.find_grade(CELL, NAME, NAME, "wrong")
        manual.manual_score, manual.needs_manual_grade = 1.0, False
        book.find_grade(CELL, NAME, NAME, "solved").extra_credit = 0.5
        book.find_grade(CELL, NAME, NAME, "untouched").extra_credit = 0.25
        book.find_comment(BONUS, NAME, NAME, "solved").manual_comment = "Well *windowed*."
        book.db.commit()
    path = own / "submitted" / "untouched" / NAME / f"{NAME}.ipynb"
    changed = nbformat.read(path, as_version=4)
    cell_of(changed).source = WRONG
    nbformat.write(changed, path)
    for command in (("autograder", "grade"), ("nbgrader", "autograde")):
        shutil.rmtree(own / "autograded")
        done = run(*command, NAME, cwd=own)
        assert done.returncode == 0, done.stdout + done.stderr
        with gradebook(own) as book:
            scores = {form: book.find_submission(NAME, form.__name__).score for form in FORMS}
            assert scores == {solved: 5.5, wrong: 3.0, untouched: 2.25, deleted: 2.0, late: 5.0}
            comment = book.find_comment(BONUS, NAME, NAME, "solved")
            assert comment.comment == "Well *windowed*."
    page = feedback(own, run, "solved")
    assert "<b>5.5</b> of 2 points" in page
    assert (
        "Your instructor set the marks of <b>sliding_window_mask</b>: <b>3.5 bonus points" in page
    )
    assert "Well <em>windowed</em>." in page


def test_nbgrader_exports_scores_above_the_maximum(own: Path, run: Any) -> None:
    assert run("nbgrader", "export", cwd=own).returncode == 0
    with (own / "grades.csv").open(encoding="utf-8") as file:
        rows = {row["student_id"]: row for row in csv.DictReader(file)}
    assert {float(row["max_score"]) for row in rows.values()} == {2.0}
    scores = {student: float(row["score"]) for student, row in rows.items()}
    assert scores == {"solved": 5.0, "wrong": 2.0, "untouched": 2.0, "deleted": 2.0, "late": 0.0}


def test_feedback_says_bonus_in_words(own: Path, run: Any) -> None:
    page = words(feedback(own, run, "solved"))
    assert "5 of 2 points" in page
    assert "This counts 3 bonus points on top of the maximum." in page
    assert "3 of 3 bonus points" in page
    assert "3 / 0" not in page
    penalised = words(feedback(own, run, "late"))
    assert "0 of 2 points" in penalised
    assert "Handed in late: 5 points taken off." in penalised
    for form in LEFT_OUT:
        kind = words(feedback(own, run, form.__name__))
        assert "2 of 2 points" in kind
        assert "This exercise is a bonus: it is optional" in kind
        assert "sliding_window_mask 0 bonus points optional" in kind
        assert "still open" not in kind
        assert "Cell missing" not in kind


def test_feedback_of_our_own_is_nbgraders(own: Path, run: Any) -> None:
    theirs = words(feedback(own, run, "solved"))
    assert run("autograder", "feedback", NAME, cwd=own).returncode == 0
    page = own / "feedback" / "solved" / NAME / f"{NAME}.html"
    assert words(page.read_text(encoding="utf-8")) == theirs


def test_formgrader_shows_the_marks_and_takes_extra_credit(
    own: Path, scripts: Path, environment: dict[str, str]
) -> None:
    with running(own, scripts, environment) as server:
        listed = {one["student"]: one for one in ask(f"{server}/formgrader/api/submissions/{NAME}")}
        assert (listed["solved"]["score"], listed["solved"]["max_score"]) == (5.0, 2.0)
        assert not any(one["needs_manual_grade"] for one in listed.values())
        with gradebook(own) as book:
            submitted = book.find_submission_notebook(NAME, NAME, "solved").id
        page = ask(f"{server}/formgrader/submissions/{submitted}/")
        assert page.count("A bonus, shown to graders alone.") == 1
        assert "3</b> of 3 bonus points" in page
        grades = ask(f"{server}/formgrader/api/grades?submission_id={submitted}")
        (grade,) = [one for one in grades if one["name"] == CELL]
        assert (grade["auto_score"], grade["max_score"]) == (3.0, 0.0)
        marked = json.dumps(grade | {"extra_credit": 0.5}).encode()
        ask(f"{server}/formgrader/api/grade/{grade['id']}", marked, "PUT")
    with gradebook(own) as book:
        assert book.find_submission(NAME, "solved").score == 5.5
