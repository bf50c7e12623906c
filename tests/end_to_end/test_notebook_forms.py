"""What students do to notebooks without meaning harm: graded, or explained."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from line_fitting import NAME, cell_of, hand_in, keep
from nbformat import NotebookNode
from nbformat.v4 import new_code_cell
from small_curriculum import perfect

STUB = "def normal_equation(x, y):\n    raise NotImplementedError('not yet')"
EXERCISE = "normal_equation"  # the other one, predict, is right in every notebook here


def as_colab_saves_it(notebook: NotebookNode) -> None:
    notebook.nbformat_minor = 0
    for cell in notebook.cells:
        cell.pop("id", None)


def without_any_metadata(notebook: NotebookNode) -> None:
    for cell in notebook.cells:
        cell.metadata = NotebookNode()


def with_work_around_the_answer(notebook: NotebookNode) -> None:
    cell = cell_of(notebook, EXERCISE)
    cell.source = f"%time import numpy\n!echo hello\n{cell.source}\nprint(1 / 0)\nexit()"
    notebook.cells.insert(0, new_code_cell("this is no Python"))


def answered_in_another_cell(notebook: NotebookNode) -> None:
    cell = cell_of(notebook, EXERCISE)
    notebook.cells.insert(notebook.cells.index(cell), new_code_cell(cell.source))
    cell.source = ""


def untouched(notebook: NotebookNode) -> None:
    cell_of(notebook, EXERCISE).source = STUB


def deleted(notebook: NotebookNode) -> None:
    notebook.cells.remove(cell_of(notebook, EXERCISE))


def named_otherwise(notebook: NotebookNode) -> None:
    cell = cell_of(notebook, EXERCISE)
    cell.source = cell.source.replace("normal_equation", "normalEquation")


def with_a_syntax_error(notebook: NotebookNode) -> None:
    cell_of(notebook, EXERCISE).source = "def normal_equation(x, y):\n    return ("


def reading_a_file_beside_it(notebook: NotebookNode) -> None:
    cell = cell_of(notebook, EXERCISE)
    cell.source = f"from mine import nothing\nassert open('data.txt').read() == '42'\n{cell.source}"


def defining_it_twice(notebook: NotebookNode) -> None:
    cell = cell_of(notebook, EXERCISE)
    cell.source = f"def normal_equation(x, y):\n    return x\n\n\n{cell.source}"


RIGHT: list[Callable[[NotebookNode], None]] = [
    as_colab_saves_it,
    without_any_metadata,
    with_work_around_the_answer,
    answered_in_another_cell,
    reading_a_file_beside_it,
    defining_it_twice,
]
WRONG: dict[Callable[[NotebookNode], None], tuple[str | None, str]] = {
    untouched: (None, "not written yet"),
    deleted: ("missing_cell", ""),
    named_otherwise: (None, "does not define normal_equation"),
    with_a_syntax_error: (None, "SyntaxError"),
}


@pytest.fixture(scope="module")
def marks(
    run: Any,
    make_line_fitting: Callable[[Path], Path],
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[str, dict[str, Any]]:
    """One class, a student for each form."""
    course = make_line_fitting(tmp_path_factory.mktemp("forms") / "course")
    keep(course, "predict", EXERCISE)
    for form in (*RIGHT, *WRONG):
        notebook = perfect(course, NAME, form.__name__)
        form(notebook)
        folder = hand_in(course, form.__name__, notebook)
        (folder / "data.txt").write_text("42")
        (folder / "mine.py").write_text("nothing = None")
    done = run("autograder", "grade", "--json", "marks.json", cwd=course)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "its cell defines normal_equation 2 times" in " ".join(done.stdout.split())
    listed = json.loads((course / "marks.json").read_text())["submissions"]
    return {one["student"]: one["exercises"] for one in listed}


@pytest.mark.parametrize("form", RIGHT, ids=lambda form: form.__name__)
def test_a_right_answer_in_an_odd_notebook_has_full_marks(marks: dict, form: Any) -> None:
    for exercise in marks[form.__name__].values():
        assert exercise["score"] == exercise["max_score"], exercise


@pytest.mark.parametrize("form", WRONG, ids=lambda form: form.__name__)
def test_what_stopped_an_answer_is_said(marks: dict, form: Any) -> None:
    exercises, (reason, told) = marks[form.__name__], WRONG[form]
    assert exercises["predict"]["score"] == 2.0
    assert exercises[EXERCISE]["score"] == 0
    assert exercises[EXERCISE]["reason"] == reason
    assert told in (exercises[EXERCISE]["message"] or "")
