"""A second course on the same engine: its release is up to date, and its own tests pass."""

import json
import os
import shutil
import subprocess
import sys

import pytest
from line_fitting import COURSE


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """A copy of the course, with nothing in it but what is committed."""
    folder = tmp_path_factory.mktemp("second") / "line-fitting"
    kept = shutil.ignore_patterns("*.ipynb_checkpoints", "__pycache__", ".autograder", "gradebook*")
    return shutil.copytree(COURSE, folder, ignore=kept)


def test_its_release_is_what_its_sources_give(course, run):
    done = run("autograder", "release", "--check", "--course", course, cwd=course.parent)
    assert done.returncode == 0, done.stdout + done.stderr


def test_its_own_tests_pass_in_its_own_folder(course, course_root):
    tests = [sys.executable, "-m", "pytest", "-q"]
    paths = os.environ | {"PYTHONPATH": str(course_root)}
    done = subprocess.run(tests, cwd=course, capture_output=True, text=True, env=paths)
    assert done.returncode == 0, done.stdout[-2000:]


def test_a_mistake_is_named_and_what_is_right_beside_it_keeps_its_marks(small_class):
    graded = json.loads((small_class / "marks.json").read_text(encoding="utf-8"))["submissions"]
    (ben,) = [one["exercises"] for one in graded if one["student"] == "ben"]
    assert ben.pop("mean_squared_error")["misconception"] == "sum-for-mean"
    assert ben.pop("w1")["pending_points"] == 3
    for exercise in ben.values():
        assert exercise["score"] == exercise["max_score"]
