"""A second course on the same engine: its release is up to date, and its own tests pass."""

import json
import os
import shutil
import subprocess
import sys

import nbformat
import pytest

from autograder.notebooks.sanitise import grade_id

NAME = "01-line-fitting"
RIGHT = """\
def predict(x, slope, intercept):
    return intercept + slope * x
"""
WRONG = """\
def mean_squared_error(predicted, actual):
    return sum((predicted - actual) ** 2)
"""


@pytest.fixture(scope="module")
def course(course_root, tmp_path_factory):
    """A copy of the course, with nothing in it but what is committed."""
    folder = tmp_path_factory.mktemp("second") / "line-fitting"
    kept = shutil.ignore_patterns("*.ipynb_checkpoints", "__pycache__", ".autograder", "gradebook*")
    return shutil.copytree(course_root / "examples" / "line-fitting", folder, ignore=kept)


def test_its_release_is_what_its_sources_give(course, run):
    done = run("autograder", "release", "--check", "--course", course, cwd=course.parent)
    assert done.returncode == 0, done.stdout + done.stderr


def test_its_own_tests_pass_in_its_own_folder(course, course_root):
    tests = [sys.executable, "-m", "pytest", "-q"]
    paths = os.environ | {"PYTHONPATH": str(course_root)}
    done = subprocess.run(tests, cwd=course, capture_output=True, text=True, env=paths)
    assert done.returncode == 0, done.stdout[-2000:]


def test_a_submission_is_graded_and_its_mistake_named(course, run):
    notebook = nbformat.read(course / "release" / NAME / f"{NAME}.ipynb", as_version=4)
    for cell in notebook.cells:
        answers = {"predict": RIGHT, "mean_squared_error": WRONG}
        cell.source = answers.get(grade_id(cell), cell.source)
    handed_in = course / "submitted" / "ada" / NAME
    handed_in.mkdir(parents=True)
    nbformat.write(notebook, handed_in / f"{NAME}.ipynb")
    told = course / "grades.json"
    done = run("autograder", "grade", "--course", course, "--json", told, cwd=course.parent)
    assert done.returncode == 0, done.stdout + done.stderr
    exercises = json.loads(told.read_text(encoding="utf-8"))["submissions"][0]["exercises"]
    assert exercises["predict"]["score"] == exercises["predict"]["max_score"]
    assert exercises["mean_squared_error"]["misconception"] == "sum-for-mean"
    assert exercises["fit"]["score"] == 0
