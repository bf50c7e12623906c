"""A written answer's whole way: handed in, waiting, read in formgrader, marked, given back.

Everything of nbgrader's is the real thing: its stages, its Gradebook, its pages over HTTP.
"""

import copy
import csv
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from formgrader import ask, running
from line_fitting import (
    NAME,
    all_right,
    by_hand,
    cell_of,
    gradebook,
    hand_in,
    keep,
    released,
    submitted,
)
from nbformat import NotebookNode
from nbformat.v4 import new_markdown_cell

UNANSWERED = "*Write your answer here.*"
ANSWER = "Because **each step** goes further than the one before it."
LONG = "Since x grows, <b>each</b> update overshoots the minimum by more than before."
SECRET = "the step jumps over the bottom and lands on the other side"


def answered(notebook: NotebookNode) -> None:
    cell_of(notebook, "w1").source = ANSWER


def untouched(notebook: NotebookNode) -> None:
    pass


def emptied(notebook: NotebookNode) -> None:
    cell_of(notebook, "w1").source = " \n"


def deleted(notebook: NotebookNode) -> None:
    notebook.cells.remove(cell_of(notebook, "w1"))


def copied(notebook: NotebookNode) -> None:
    """An answer above a copy of the empty cell, as happens when somebody duplicates it to draft."""
    empty = copy.deepcopy(cell_of(notebook, "w1"))
    answered(notebook)
    empty.id = "another"
    notebook.cells.append(empty)


def tampered(notebook: NotebookNode) -> None:
    """An answer that says that it is code, is locked and worth a hundred points."""
    answered(notebook)
    cell = cell_of(notebook, "w1")
    cell.metadata.nbgrader |= {"points": 100, "solution": False, "locked": True, "checksum": "0"}
    cell.cell_type, cell.outputs, cell.execution_count = "code", [], None


def beside(notebook: NotebookNode) -> None:
    """An answer in a new cell below the one that was meant for it."""
    own = notebook.cells.index(cell_of(notebook, "w1"))
    notebook.cells.insert(own + 1, new_markdown_cell(LONG))


def in_code(notebook: NotebookNode) -> None:
    """As Jupyter's + makes a cell: sentences in one of code, which is no Python."""
    beside(notebook)
    cell = notebook.cells[notebook.cells.index(cell_of(notebook, "w1")) + 1]
    cell.cell_type, cell.outputs, cell.execution_count = "code", [], None


def in_the_question(notebook: NotebookNode) -> None:
    notebook.cells[notebook.cells.index(cell_of(notebook, "w1")) - 1].source += f"\n\n{LONG}"


def unmarked(notebook: NotebookNode) -> None:
    """As tools save it that keep no metadata."""
    answered(notebook)
    for cell in notebook.cells:
        cell.metadata = {}


def a_few_words(notebook: NotebookNode) -> None:
    own = notebook.cells.index(cell_of(notebook, "w1"))
    notebook.cells.insert(own + 1, new_markdown_cell("I had no time left."))


pytestmark = pytest.mark.xdist_group("written answers")  # they share a graded class

OWN = (answered, copied, tampered, unmarked)
ELSEWHERE = (beside, in_code, in_the_question)
WAITING = (*OWN, *ELSEWHERE)
NOTHING = (untouched, emptied, deleted, a_few_words)


@pytest.fixture(scope="module")
def course(
    run: Any, make_line_fitting: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """A graded class: one student for each form of an answer, all else right everywhere."""
    root = make_line_fitting(tmp_path_factory.mktemp("written") / "course")
    keep(root, "predict", "w1")
    done = run("autograder", "release", cwd=root)
    assert done.returncode == 0, done.stdout + done.stderr
    for form in (*WAITING, *NOTHING):
        notebook = all_right(root, form.__name__)
        form(notebook)
        hand_in(root, form.__name__, notebook)
    done = run("autograder", "grade", "--json", "marks.json", cwd=root)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "3 points wait for you" in " ".join(done.stdout.split())
    return root


def feedback(course: Path, run: Any) -> str:
    done = run("autograder", "feedback", NAME, "--student", "answered", cwd=course)
    assert done.returncode == 0, done.stderr
    return page_of(course)


def page_of(course: Path) -> str:
    return (course / "feedback" / "answered" / NAME / f"{NAME}.html").read_text(encoding="utf-8")


def test_the_release_asks_and_holds_an_empty_answer_and_no_rubric(course: Path) -> None:
    notebook = released(course)
    answer = cell_of(notebook, "w1")
    assert (answer.cell_type, answer.source) == ("markdown", UNANSWERED)
    assert "prints the errors: 191, 402" in notebook.cells[notebook.cells.index(answer) - 1].source
    for path in (course / "release").rglob("*"):
        assert not path.is_file() or SECRET.encode() not in path.read_bytes()


@pytest.mark.parametrize("form", [*WAITING, *NOTHING], ids=lambda form: form.__name__)
def test_an_answer_waits_for_a_person_and_none_gets_nothing(course: Path, form: Any) -> None:
    waits = form in WAITING
    listed = json.loads((course / "marks.json").read_text())["submissions"]
    (one,) = [one for one in listed if one["student"] == form.__name__]
    question = one["exercises"]["w1"]
    assert (one["score"], one["max_score"]) == (2.0, 5.0)
    assert one["pending_points"] == (3.0 if waits else 0.0)
    assert question["pending_points"] == (3.0 if waits else 0.0)
    assert [test["outcome"] for test in question["tests"]] == ["pending" if waits else "failed"]
    with gradebook(course) as book:
        grade = book.find_grade("w1", NAME, NAME, form.__name__)
        assert (grade.auto_score, grade.needs_manual_grade) == (None if waits else 0.0, waits)
        assert grade.max_score == 3.0
        submission = book.find_submission(NAME, form.__name__)
        assert (submission.score, submission.max_score) == (2.0, 5.0)
        assert (submission.max_written_score, submission.needs_manual_grade) == (3.0, waits)


def test_what_was_written_reaches_the_grader_as_it_was(course: Path) -> None:
    for form in OWN:
        path = course / "autograded" / form.__name__ / NAME / f"{NAME}.ipynb"
        answer = cell_of(nbformat.read(path, as_version=4), "w1")
        assert (answer.cell_type, answer.source) == ("markdown", ANSWER)
        assert answer.metadata.nbgrader["points"] == 3.0


def test_what_stands_elsewhere_is_named_to_who_grades(course: Path) -> None:
    listed = json.loads((course / "marks.json").read_text())["submissions"]
    notes = {one["student"]: " ".join(one["notes"]) for one in listed}
    for form in ELSEWHERE:
        assert "w1: its own cell is empty, and what stands near it waits" in notes[form.__name__]
    assert notes["a_few_words"] == notes["untouched"] == ""
    assert "cell w1 had lost its name" in notes["unmarked"]


def test_the_answer_is_told_to_wait_and_the_rubric_is_never_on_the_page(
    course: Path, run: Any
) -> None:
    mine = feedback(course, run)
    assert "3 points, from your instructor" in mine
    assert "has not read this answer yet" in mine
    alone = ("--force", "--student", "answered")
    exporter = "--GenerateFeedback.exporter_class=nbconvert.exporters.HTMLExporter"
    done = run("nbgrader", "generate_feedback", NAME, *alone, exporter, cwd=course)
    assert done.returncode == 0, done.stderr
    stock = page_of(course)
    assert "each step" in stock
    assert SECRET not in mine + stock
    for path in (course / "autograded").rglob("*"):
        assert not path.is_file() or SECRET.encode() not in path.read_bytes()


def test_points_and_a_comment_survive_grading_again_and_reach_the_student(
    course: Path, run: Any, tmp_path: Path
) -> None:
    copied_course = tmp_path / "course"
    shutil.copytree(course, copied_course, symlinks=True)
    by_hand(copied_course, "answered", "w1", "Well *argued*.", manual_score=2.5)
    for command in (("autograder", "grade", "--student"), ("nbgrader", "autograde", "--student")):
        done = run(*command, "answered", NAME, cwd=copied_course)
        assert done.returncode == 0, done.stdout + done.stderr
        with gradebook(copied_course) as book:
            submission = book.find_submission(NAME, "answered")
            assert (submission.score, submission.written_score) == (4.5, 2.5)
            assert not submission.needs_manual_grade  # it has been read, and is the same
    read = feedback(copied_course, run)
    assert "<b>4.5</b> of 5 points" in read
    assert "<b>2.5 of 3 points</b>" in read
    assert "Well <em>argued</em>." in read
    assert "points, from your instructor" not in read
    done = run("nbgrader", "export", cwd=copied_course)
    assert done.returncode == 0, done.stderr
    with (copied_course / "grades.csv").open(encoding="utf-8") as file:
        (row,) = [row for row in csv.DictReader(file) if row["student_id"] == "answered"]
    assert (float(row["score"]), float(row["max_score"])) == (4.5, 5.0)


def test_another_answer_is_asked_for_again_and_keeps_its_marks_meanwhile(
    course: Path, run: Any, tmp_path: Path
) -> None:
    copied_course = tmp_path / "course"
    shutil.copytree(course, copied_course, symlinks=True)
    by_hand(copied_course, "answered", "w1", "Well argued.", manual_score=2.5)
    by_hand(copied_course, "copied", "w1", "Go on.", manual_score=1.0)
    for student, answer in (("answered", "Another answer."), ("copied", UNANSWERED)):
        notebook = submitted(copied_course, student)
        for cell in notebook.cells:
            if cell.metadata.get("nbgrader", {}).get("grade_id") == "w1":
                cell.source = answer
        hand_in(copied_course, student, notebook)
    changed = ("--student", "answered", "--student", "copied")
    assert run("autograder", "grade", *changed, cwd=copied_course).returncode == 0
    with gradebook(copied_course) as book:
        again = book.find_grade("w1", NAME, NAME, "answered")
        assert (again.auto_score, again.score, again.needs_manual_grade) == (None, 2.5, True)
        nothing = book.find_grade("w1", NAME, NAME, "copied")
        assert (nothing.auto_score, nothing.needs_manual_grade) == (0.0, True)


def test_formgrader_lists_the_answer_shows_the_rubric_and_takes_the_marks(
    course: Path, scripts: Path, environment: dict[str, str], tmp_path: Path
) -> None:
    copied_course = tmp_path / "course"
    shutil.copytree(course, copied_course, symlinks=True)
    with running(copied_course, scripts, environment) as server:
        listed = ask(f"{server}/formgrader/api/submissions/{NAME}")
        assert {found["student"] for found in listed if found["needs_manual_grade"]} == {
            form.__name__ for form in WAITING
        }
        with gradebook(copied_course) as book:
            one = book.find_submission_notebook(NAME, NAME, "answered").id
        shown = ask(f"{server}/formgrader/submissions/{one}/")
        assert "Rubric of w1 (3 points)" in shown
        assert shown.index(SECRET) < shown.index("goes further than the one before it")
        assert 'id="w1-comment"' in shown
        grades = ask(f"{server}/formgrader/api/grades?submission_id={one}")
        (grade,) = [mark for mark in grades if mark["name"] == "w1"]
        marked = json.dumps(grade | {"manual_score": 3.0}).encode()
        ask(f"{server}/formgrader/api/grade/{grade['id']}", marked, "PUT")
        for form in ELSEWHERE:
            with gradebook(copied_course) as book:
                one = book.find_submission_notebook(NAME, NAME, form.__name__).id
            shown = ask(f"{server}/formgrader/submissions/{one}/")
            quoted = shown.index("This stands elsewhere")
            assert "overshoots the minimum" in shown[quoted : shown.index('id="w1-comment"')]
    with gradebook(copied_course) as book:
        assert book.find_submission(NAME, "answered").score == 5.0


def test_one_command_closes_all_that_are_none_and_touches_no_other(
    course: Path, run: Any, tmp_path: Path
) -> None:
    copied_course = tmp_path / "course"
    shutil.copytree(course, copied_course, symlinks=True)
    listed = run("autograder", "waiting", cwd=copied_course).stdout
    assert f"{len(WAITING)} wait for you." in listed
    assert listed.count("overshoots the minimum") == len(ELSEWHERE)
    by_hand(copied_course, "beside", "w1", manual_score=3.0)  # which was an answer after all
    done = run("autograder", "waiting", "--close-unanswered", cwd=copied_course)
    assert done.returncode == 0, done.stderr
    assert "2 given 0 points: in_code (w1), in_the_question (w1)" in done.stdout
    assert f"{len(OWN)} wait for you." in done.stdout
    assert run("autograder", "grade", NAME, cwd=copied_course).returncode == 0
    with gradebook(copied_course) as book:
        for form in (*WAITING, *NOTHING):
            grade = book.find_grade("w1", NAME, NAME, form.__name__)
            assert (grade.score, grade.needs_manual_grade) == (
                3.0 if form is beside else 0.0,
                form in OWN,
            )
    log = run("autograder", "log", "--student", "in_code", cwd=copied_course).stdout
    assert "given by a person" in log
    in_code_again = submitted(copied_course, "in_code")
    next(c for c in in_code_again.cells if c.source == LONG).source = f"{LONG} And so it diverges."
    hand_in(copied_course, "in_code", in_code_again)
    assert run("autograder", "grade", "--student", "in_code", cwd=copied_course).returncode == 0
    with gradebook(copied_course) as book:
        assert book.find_grade("w1", NAME, NAME, "in_code").needs_manual_grade
