"""A released notebook by nbgrader's own `validate`, as a student runs it: filled in, and untouched.

That every course's notebooks run to their ends and say what is not written is shown by
`autograder validate`.
"""

import shutil
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest
from line_fitting import COURSE, NAME, all_right, cell_of, released
from nbformat import NotebookNode

pytestmark = pytest.mark.slow


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """What a student has."""
    return Path(shutil.copytree(COURSE / "release" / NAME, tmp_path / NAME))


def validate(folder: Path, notebook: NotebookNode) -> str:
    nbformat.write(notebook, folder / "mine.ipynb")
    command = [sys.executable, "-m", "nbgrader", "validate", "mine.ipynb"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False).stdout


def test_the_reference_passes_every_check(folder: Path) -> None:
    notebook = all_right(COURSE, "ada")
    cell_of(notebook, "w1").source = "Each step is too long."
    assert "Success! Your notebook passes all the tests." in validate(folder, notebook)


def test_an_untouched_notebook_fails_every_check(folder: Path) -> None:
    assert "VALIDATION FAILED ON 12 CELL(S)" in validate(folder, released(COURSE))
