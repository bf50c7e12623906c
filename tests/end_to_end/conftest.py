"""Two classes, released and graded by the real commands: the sample class, and a small one."""

import copy
import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from line_fitting import all_right, cell_of, hand_in
from nbformat import NotebookNode

SHARED = ("sample_class", "small_class")
WRONG = {
    "ben": "def mean_squared_error(predicted, actual):\n    return sum((predicted - actual) ** 2)",
    "chloe": "def mean_squared_error(predicted, actual):\n    import os\n    os.abort()",
}


@pytest.hookimpl(tryfirst=True)  # pytest-xdist reads the groups in its own
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep tests that share a graded class in one process of `pytest -n`."""
    for item in items:
        for name in set(SHARED) & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.xdist_group(name))


ODD_FOLDER = """-attn [2026] 50% #1, a::b "c" 'd' $HOME * {x} ~ ; & é \\ `e`"""


@pytest.fixture(scope="session")
def sample_class(
    course_root: Path,
    run: Any,
    make_course: Callable[[Path], Path],
    tmp_path_factory: pytest.TempPathFactory,
) -> tuple[Path, dict[str, Any], subprocess.CompletedProcess[str]]:
    """The course after `autograder release` and `autograder grade`; its marks; what was said."""
    folder = make_course(tmp_path_factory.mktemp("graded") / "course")
    shutil.copytree(course_root / "examples" / "submitted", folder / "submitted", symlinks=True)
    released = run("autograder", "release", cwd=folder)
    assert released.returncode == 0, released.stderr
    done = run("autograder", "grade", "--json", "marks.json", cwd=folder)
    assert (folder / "marks.json").is_file(), done.stderr
    return folder, json.loads((folder / "marks.json").read_text()), done


@pytest.fixture(scope="session")
def small_class(
    run: Any, make_line_fitting: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The second course, released and graded; tests change copies of it.

    ada has all right, ben made a mistake, chloe's code crashes and she wrote nothing, and goran has
    tampered with what is graded. Its folder has a name that pytest and others read otherwise.
    """
    course = make_line_fitting(tmp_path_factory.mktemp("small") / ODD_FOLDER)
    released = run("autograder", "release", cwd=course)
    assert released.returncode == 0, released.stderr
    for student in ("ada", "ben", "chloe", "goran"):
        notebook = all_right(course, student)
        if student in WRONG:
            cell_of(notebook, "mean_squared_error").source = WRONG[student]
        if student != "chloe":
            cell_of(notebook, "w1").source = "Each step goes further than the one before it."
        if student == "goran":
            _tamper(notebook)
        hand_in(course, student, notebook)
    done = run("autograder", "grade", "--json", "marks.json", cwd=course)
    assert done.returncode == 0, done.stdout + done.stderr
    return course


def _tamper(notebook: NotebookNode) -> None:
    """Raise points, rewrite a check, copy a graded cell, delete another, hide one in Markdown."""
    raised = cell_of(notebook, "test_predict")
    raised.metadata.nbgrader["points"] = 100
    cell_of(notebook, "test_fit").source = "print('everything passed')"
    notebook.cells.remove(cell_of(notebook, "test_gradient"))
    hidden = cell_of(notebook, "test_q1")
    hidden.cell_type = "markdown"
    del hidden["outputs"], hidden["execution_count"]
    copied = copy.deepcopy(raised)
    copied.id = "copied-cell"
    notebook.cells.append(copied)
