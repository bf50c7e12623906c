"""The cell of a written answer is put back in order, and what was written in it stays."""

import copy
from pathlib import Path

import pytest
from nbformat import NotebookNode, validate
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_raw_cell

from autograder.course import Assignment, Course, Exercise, load_course
from autograder.course.written import UNANSWERED
from autograder.notebooks.reading import read_notebook
from autograder.notebooks.sanitise import (
    MOST_TEXT,
    code_cells,
    grade_id,
    metadata_of,
    sanitise,
)
from autograder.notebooks.written_answers import LONGEST, MOST, answer_to, passages
from autograder.verdicts import Submission

W = Exercise("w1", 3.0, "written")
ASSIGNMENT = Assignment("09-example", (W,))


def cell(source: str) -> NotebookNode:
    return new_markdown_cell(source, metadata={"nbgrader": metadata_of(W, graded=True)})


def notebook(*cells: NotebookNode) -> NotebookNode:
    return new_notebook(cells=[new_markdown_cell("# Text"), *cells])


def restored(nb: NotebookNode) -> tuple[str | None, list[str]]:
    """The answer after putting the notebook in order, and what was said of it."""
    notes = sanitise(nb, ASSIGNMENT)
    validate(nb)
    (kept,) = [one for one in nb.cells if grade_id(one) == "w1"]
    assert kept.cell_type == "markdown"
    assert kept.metadata["nbgrader"] == metadata_of(W, graded=True)
    return answer_to(nb, ASSIGNMENT, W), notes


def test_its_mark_is_that_of_a_manually_graded_answer() -> None:
    mark = metadata_of(W, graded=True)
    assert mark == metadata_of(W, graded=False)
    assert (mark["grade"], mark["solution"], mark["locked"]) == (True, True, False)
    assert (mark["grade_id"], mark["points"], mark["cell_type"]) == ("w1", 3.0, "markdown")
    assert W.graded_cell == "w1"


def test_an_answer_stays_as_it_was_written() -> None:
    assert restored(notebook(cell("Since *j* > i.\n\nYes."))) == ("Since *j* > i.\n\nYes.", [])


@pytest.mark.parametrize("source", [UNANSWERED, f"\n{UNANSWERED}  ", "", "  \n"])
def test_an_untouched_or_emptied_cell_is_no_answer_to_nbgrader_either(source: str) -> None:
    nb = notebook(cell(source))
    assert restored(nb) == (None, [])
    assert nb.cells[1].source == UNANSWERED  # nbgrader compares to the letter


def test_a_missing_cell_is_put_back_empty() -> None:
    answer, notes = restored(notebook())
    assert answer is None
    assert notes == ["cell w1 was missing; it was put back"]


@pytest.mark.parametrize("order", [("old", "new"), ("new", UNANSWERED), ("", "new", " ")])
def test_of_copies_the_last_that_says_something_counts_and_all_stay_readable(order: tuple) -> None:
    nb = notebook(*map(cell, order))
    answer, notes = restored(nb)
    assert answer == "new"
    assert notes == [f"cell w1 was there {len(order)} times; the last answer counts"]
    assert len(nb.cells) == 1 + len(order)


def test_a_cell_that_was_made_code_is_text_again_and_never_runs() -> None:
    changed = new_code_cell("open('/etc/passwd')", metadata={"nbgrader": {"grade_id": "w1"}})
    nb = notebook(changed)
    assert restored(nb)[0] == "open('/etc/passwd')"
    assert list(code_cells(nb, ASSIGNMENT)) == []


def test_long_notes_before_it_cost_the_answer_nothing() -> None:
    notes = [new_markdown_cell("x" * 15_000) for _ in range(MOST_TEXT // 15_000 + 1)]
    assert restored(notebook(*notes, cell("Mine.")))[0] == "Mine."


def test_html_in_an_answer_is_shown_and_not_run() -> None:
    assert "<script" not in (restored(notebook(cell("<script>alert(1)</script>")))[0] or "")


def test_a_submission_carries_that_there_is_an_answer_and_not_its_text() -> None:
    nb = notebook(cell("My very own words."))
    sanitise(nb, ASSIGNMENT)
    submission = Submission.of(nb, ASSIGNMENT, "ada", {})
    assert "very own words" not in str(submission.to_json())
    other = copy.deepcopy(nb)
    other.cells[1].source = "Other words."
    assert Submission.of(other, ASSIGNMENT, "ada", {}).written != submission.written


@pytest.fixture(scope="module")
def course(course_root: Path) -> Course:
    return load_course(course_root)


LONG = "Since every row sums to one, nothing of the future can leak into it."


@pytest.mark.parametrize("marks", ["kept", "lost"])
def test_nothing_that_is_released_is_taken_for_an_answer(course: Course, marks: str) -> None:
    """Of every assignment with written questions, also where its cells have lost their marks."""
    for assignment in course.assignments.values():
        path = course.root / "release" / assignment.name / f"{assignment.name}.ipynb"
        nb = read_notebook(path, 2**24)
        if marks == "lost":
            for one in nb.cells:
                one.metadata = NotebookNode()
        sanitise(nb, assignment)
        for exercise in assignment.exercises:
            if exercise.kind == "written":
                assert answer_to(nb, assignment, exercise) is None


def beside(course: Course, new: NotebookNode, below: int = 1) -> str | None:
    """The answer to a question of the course whose own cell is empty, with a new cell below it."""
    assignment = course.assignment("03-causal-masking")
    path = course.root / "release" / assignment.name / f"{assignment.name}.ipynb"
    nb = read_notebook(path, 2**24)
    own = next(i for i, one in enumerate(nb.cells) if grade_id(one) == "w1")
    nb.cells.insert(own + below, new)
    sanitise(nb, assignment)
    return answer_to(nb, assignment, assignment.exercise("w1"))


def test_sentences_between_the_question_and_the_next_heading_wait(course: Course) -> None:
    assert beside(course, new_markdown_cell(LONG)) == LONG
    assert beside(course, new_markdown_cell(LONG), below=0) == LONG
    assert beside(course, new_raw_cell(LONG)) == LONG
    assert beside(course, new_code_cell(LONG)) == LONG
    assert beside(course, new_code_cell(f"# {LONG}")) == f"# {LONG}"
    assert beside(course, new_code_cell(f'w1 = "{LONG}"')) == f'w1 = "{LONG}"'
    assert beside(course, new_markdown_cell(f"## My answer\n\n{LONG}"))
    assert beside(course, new_markdown_cell("因为每一行的和是一，所以未来不会泄漏"))


def test_too_little_or_somewhere_else_is_no_answer(course: Course) -> None:
    assert beside(course, new_markdown_cell("See above, I had no time.")) is None
    assert (
        beside(course, new_code_cell("total = scores.sum(-1)\nweights = total / total.max()"))
        is None
    )
    assert beside(course, new_markdown_cell(LONG), below=-5) is None
    question = read_notebook(
        course.root / "release/03-causal-masking/03-causal-masking.ipynb", 2**24
    )
    (copied,) = (one for one in question.cells if one.source.startswith("**w1.**"))
    assert beside(course, copied) is None


def test_beside_a_question_only_so_much_is_read() -> None:
    code = f"# {LONG}\n" + "value = [1, (2, 3)]\n" * 900
    nb = new_notebook(cells=[new_markdown_cell("**w1.** Why?"), cell(UNANSWERED)])
    nb.cells += [new_code_cell(code) for _ in range(100)]
    found = passages(nb, ASSIGNMENT, W)
    assert 1 < len(found) < 100
    assert sum(len(one.text) for one in found) < MOST + LONGEST
