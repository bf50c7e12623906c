"""A hidden test that goes past its bounds on one student's value costs nobody else anything."""

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import nbformat
import pytest

from autograder.build.source_notebook import reference_notebook
from autograder.course import load_course

pytestmark = pytest.mark.slow

NAME = "01-line-fitting"
GRADERS = "graders/line_fitting/predict/hidden.py"
TEST = "test_x_is_left_as_it_was"
LONG = 1234  # a length that no other test asks for
LIMITS = """
c.GradingLimits.memory_mb = 600
c.GradingLimits.test_seconds = 2
c.SubmissionLimits.submission_seconds = 6
"""
TRAP = f"""
    value = student.predict(np.arange({LONG}.0), 1.0, 0.0)[0]
    if value == 11:
        held = [np.ones(1 << 21) for _ in range(1 << 7)]
        __import__("time").sleep(100)
    elif value == 12:
        while True:
            pass
    elif value == 13:
        __import__("time").sleep(100)
    elif value == 14:
        __import__("ctypes").string_at(0)
    elif value == 15:
        __import__("os")._exit(0)
"""
VALUES = {"gus": 11, "lou": 12, "bob": 13, "cleo": 14, "exa": 15}
ADDED = """
def predict(x, slope, intercept, right=predict):
    return np.array([{value}.0]) if len(x) == {length} else right(x, slope, intercept)
"""
TOLD = {
    "gus": f"{TEST} held more than 600 MB on what gus handed in",
    "lou": f"{TEST} took more than 2 processor seconds on what lou handed in",
    "bob": f"{TEST} was not over after 32 seconds on what bob handed in",
    "cleo": f"{TEST} ended its process (signal 11) 3 times on what cleo handed in",
    "exa": f"{TEST} ended its process (status 0) 3 times on what exa handed in",
}


@pytest.fixture(scope="module")
def kit(
    make_line_fitting: Callable[[Path], Path],
    tmp_path_factory: pytest.TempPathFactory,
) -> Path:
    """A course whose grader of predict falls for some values, and a class that gives them."""
    root = make_line_fitting(tmp_path_factory.mktemp("kit"))
    path = root / GRADERS
    head, name, rest = path.read_text(encoding="utf-8").partition(f"def {TEST}")
    signature, docstring, body = rest.partition('numbers afterwards."""\n')
    path.write_text(head + name + signature + docstring + TRAP + body, encoding="utf-8")
    with (root / "course_config.py").open("a") as config:
        config.write(LIMITS)
    for student in ("ada", *VALUES, "zoe"):
        hand_in(root, student)
    return root


def hand_in(root: Path, student: str) -> None:
    """Right answers; of some students one that gives the grader a value to fall for."""
    course = load_course(root)
    notebook = reference_notebook(course, course.assignment(NAME), student)
    if student in VALUES:
        (cell,) = [one for one in notebook.cells if one.source.startswith("def predict(")]
        cell.source += ADDED.format(value=VALUES[student], length=LONG)
    folder = root / "submitted" / student / NAME
    folder.mkdir(parents=True)
    nbformat.write(notebook, folder / f"{NAME}.ipynb")


@pytest.fixture(scope="module")
def done(kit: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "autograder", "grade", NAME, "--json", "run.json", "--workers", "2"],
        cwd=kit,
        env=os.environ | {"COLUMNS": "1000"},
        capture_output=True,
        text=True,
        timeout=300,
    )


@pytest.fixture(scope="module")
def exercises(kit: Path, done: subprocess.CompletedProcess[str]) -> dict[str, dict[str, Any]]:
    """What became of each exercise, by student."""
    told = json.loads((kit / "run.json").read_text())
    return {one["student"]: one["exercises"] for one in told["submissions"]}


@pytest.mark.parametrize("student", TOLD)
def test_the_exercise_waits_for_a_person_who_hears_why(
    student: str, done: subprocess.CompletedProcess[str], exercises: dict[str, Any]
) -> None:
    found = exercises[student]["predict"]
    assert (found["reason"], found["detail"]) == ("grader_error", TOLD[student])
    assert found["score"] == 0.0
    assert found["pending_points"] > 0
    assert TOLD[student] in done.stdout
    assert done.returncode == 1


@pytest.mark.parametrize("student", ["ada", *TOLD, "zoe"])
def test_everything_else_is_graded(student: str, exercises: dict[str, Any]) -> None:
    fallen_for = {"predict"} if student in TOLD else set()
    judged = {name: one for name, one in exercises[student].items() if name not in fallen_for}
    assert {"fit", "q1"} < judged.keys()
    for one in judged.values():
        earned = one["max_score"] - one["pending_points"]
        assert (one["status"], one["reason"], one["score"]) == ("graded", None, earned)
