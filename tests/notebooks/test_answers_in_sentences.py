"""The cell of a written answer is put back in order, and what was written in it stays."""

import copy

import pytest
from nbformat import NotebookNode, validate
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from autograder.course import Assignment, Exercise
from autograder.course.written import UNANSWERED
from autograder.notebooks.sanitise import (
    MOST_TEXT,
    answer_to,
    code_cells,
    grade_id,
    metadata_of,
    sanitise,
)
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
    return answer_to(nb, W), notes


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
    assert notes == ["cell w1 was missing; it was added without an answer"]


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
