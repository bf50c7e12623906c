"""A released notebook is run as a student runs it, and what is wrong with it is told."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest
from line_fitting import COURSE, NAME
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output

from autograder.course import Course, load_course
from autograder.notebooks.sanitise import grade_id
from autograder.proof import notebooks as proof
from autograder.proof.notebooks import NotebookRun, run_notebooks

pytestmark = pytest.mark.slow

DRAWING = "import matplotlib.pyplot as plt\nplt.plot([1, 2])"
IN_WORDS = "*In words:* a line that rises."


@pytest.fixture
def course(make_line_fitting: Callable[[Path], Path], tmp_path: Path) -> Course:
    root = make_line_fitting(tmp_path / "course")
    shutil.copytree(COURSE / "release" / NAME, root / "release" / NAME)
    return load_course(root)


def edit(course: Course, change: Callable[[Any], None]) -> None:
    path = course.folder("release") / NAME / f"{NAME}.ipynb"
    notebook = nbformat.read(path, as_version=4)
    change(notebook)
    nbformat.write(notebook, path)


def runs(course: Course) -> dict[str, NotebookRun]:
    return {run.state: run for run in run_notebooks(course, [course.assignment(NAME)], 2)}


def test_what_is_wrong_with_a_notebook_is_told(course: Course) -> None:
    def spoil(notebook: Any) -> None:
        notebook.cells[1:1] = [
            new_code_cell("1 / 0"),
            new_code_cell("import sys\nprint('old', file=sys.stderr)"),
            new_code_cell(DRAWING),
            new_markdown_cell("No words."),
            new_code_cell(DRAWING + "\nplt.close()"),
            new_code_cell(DRAWING),
            new_markdown_cell(IN_WORDS),
        ]
        cells = {grade_id(cell): cell for cell in notebook.cells}
        cells["test_predict"].source = "1"

    edit(course, spoil)
    found = runs(course)
    solved = found["solved"].problems
    assert solved == (
        "cell 2, which begins '1 / 0': ZeroDivisionError: division by zero",
        "cell 3, which begins 'import sys': writes to stderr: old",
        "cell 4, which begins 'import matplotlib.pyplot as plt', shows a picture that no "
        '"*In words:*" below it describes',
        "cell 6, which begins 'import matplotlib.pyplot as plt', draws, and shows no picture",
    )
    assert found["untouched"].problems == (
        "cell 2, which begins '1 / 0', shows a traceback: ZeroDivisionError: division by zero",
        "the check of predict passes in an untouched notebook",
    )


def test_a_check_that_has_a_picture_and_shows_none_is_told(course_root: Path) -> None:
    name = "01-attention-by-hand"  # of the course that this process serves
    released = nbformat.read(course_root / "release" / name / f"{name}.ipynb", as_version=4)
    found = proof._missing_pictures(released, load_course(course_root).assignment(name))
    assert "the check of softmax shows no picture with words" in found


def test_a_release_that_is_missing_is_told(course: Course) -> None:
    shutil.rmtree(course.folder("release") / NAME)
    for run in runs(course).values():
        assert run.problems[0].endswith(f"is missing: run `autograder release {NAME}`")


def test_a_cell_that_does_not_end_is_told(course: Course, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proof, "CELL_SECONDS", 2)
    edit(course, lambda notebook: notebook.cells.insert(1, new_code_cell("while True: pass")))
    for run in runs(course).values():
        assert run.problems[0] == "a cell took more than 2 seconds"


def test_a_kernel_that_dies_is_told(course: Course) -> None:
    edit(course, lambda notebook: notebook.cells.insert(1, new_code_cell("import os; os._exit(1)")))
    assert runs(course)["solved"].problems[0] == "the kernel died"


def test_an_alternative_text_that_is_empty_is_none() -> None:
    def cell(html: str) -> Any:
        output = new_output("display_data", {"text/html": html})
        return new_code_cell("check()", outputs=[output])

    assert proof._shows_picture(cell('<figure role="group" aria-label="A grid.">'))
    assert not proof._shows_picture(cell('<figure role="group" aria-label="">'))
    assert not proof._shows_picture(cell("<table></table>"))
