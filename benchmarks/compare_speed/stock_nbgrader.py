"""Stock nbgrader, as its documentation shows: one `nbgrader autograde` for the whole class."""

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import nbformat
from nbformat.v4 import new_code_cell, new_notebook
from nbgrader.api import Gradebook

from autograder.judging.answers import reference_source
from benchmarks.compare_speed import asserts
from benchmarks.compare_speed.handed_in import EXERCISES, IMPORTS, NAME, POINTS, Submission, hand_in
from benchmarks.compare_speed.measured import Marks, Measured, Programs, fresh_copy, need_pages

AUTOGRADE = "`nbgrader autograde`, stock"
FEEDBACK = "`nbgrader generate_feedback`, stock"
HIDDEN = "### BEGIN HIDDEN TESTS\n{}\n### END HIDDEN TESTS"


class StockNbgrader:
    """A course with one released assignment and what its class handed in."""

    def __init__(self, programs: Programs, folder: Path) -> None:
        self._programs, self._folder = programs, folder
        self._course = folder / "course"
        self._count = 0

    def prepare(self, handed_in: Sequence[Submission]) -> None:
        """Release the assignment and hand in."""
        source = self._course / "source" / NAME / f"{NAME}.ipynb"
        source.parent.mkdir(parents=True)
        nbformat.write(notebook(), source)
        (self._course / "nbgrader_config.py").write_text("c = get_config()\n", encoding="utf-8")
        self._programs.run("nbgrader", "generate_assignment", NAME, cwd=self._course)
        released = self._course / "release" / NAME / f"{NAME}.ipynb"
        for one in handed_in:
            hand_in(one, released, self._course / "submitted" / one.student / NAME)
        self._count = len(handed_in)

    def measure(self) -> Iterator[Measured]:
        """Grade the class in a fresh copy of the course, then write its feedback."""
        course = fresh_copy(self._course)
        ended = self._programs.run("nbgrader", "autograde", NAME, cwd=course)
        yield Measured(AUTOGRADE, self._count, ended.seconds, marks_in(course))
        ended = self._programs.run("nbgrader", "generate_feedback", NAME, cwd=course)
        need_pages(course, self._count)
        yield Measured(FEEDBACK, self._count, ended.seconds)


def notebook() -> nbformat.NotebookNode:
    """The instructor's notebook: solutions between markers, and a hidden test after each."""
    cells = [new_code_cell(IMPORTS, id="imports")]
    for name in EXERCISES:
        test = getattr(asserts, f"test_{name}")
        answer = {"grade": False, "solution": True, "locked": False, "grade_id": name}
        graded = {"grade": True, "solution": False, "locked": True, "points": POINTS}
        graded["grade_id"] = f"test_{name}"
        for source, marks in (
            (reference_source(name), answer),
            (HIDDEN.format(body(test)), graded),
        ):
            whole = marks | {"schema_version": 3, "task": False, "cell_type": "code"}
            cells.append(new_code_cell(source, id=marks["grade_id"], metadata={"nbgrader": whole}))
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    return new_notebook(cells=cells, metadata={"kernelspec": kernel})


def body(function: Callable) -> str:
    """The lines of a function after its docstring, as they would stand in a cell."""
    source = inspect.getsource(function)
    first = ast.parse(source).body[0].body[1].lineno
    return textwrap.dedent("".join(source.splitlines(keepends=True)[first - 1 :])).strip()


def marks_in(course: Path) -> Marks:
    """Who has full marks for what, in the gradebook of a stock course."""
    marks = {}
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}") as gradebook:
        for submitted in gradebook.assignment_submissions(NAME):
            for grade in (one for book in submitted.notebooks for one in book.grades):
                name = grade.name.removeprefix("test_")
                marks[submitted.student.id, name] = grade.score == grade.max_score
    return marks
