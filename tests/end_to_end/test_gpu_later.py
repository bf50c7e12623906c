"""A class graded without a GPU, and completed by what a machine with one has found since."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from nbgrader.api import Gradebook

from autograder.course import load_course
from autograder.gradebook.records import read_record
from autograder.notebooks.submitted import find_submitted
from autograder.verdicts.verdict_store import VerdictStore

pytestmark = pytest.mark.slow

NAME, STUDENT = "03-causal-masking", "ada"


@pytest.fixture(scope="module")
def course(
    sample_class: tuple[Path, dict[str, Any], Any], tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The graded class at another place, with one submission and points on CUDA checks."""
    folder = tmp_path_factory.mktemp("later") / "course"
    shutil.copytree(sample_class[0], folder, symlinks=True)
    for submitted in (folder / "submitted").glob("*/*"):
        if (submitted.parent.name, submitted.name) != (STUDENT, NAME):
            shutil.rmtree(submitted)
    with (folder / "course_config.py").open("a", encoding="utf-8") as config:
        config.write("c.Devices.cuda_points = True\n")
    return folder


def found_on_a_gpu(course: Path) -> None:
    """Leave the verdicts that a machine with a GPU leaves: its own tests, all passed."""
    read = load_course(course)
    (one,) = find_submitted(read.folder("submitted"), [NAME], [STUDENT])
    record = read_record(read, one)
    assert record is not None
    kept = VerdictStore(course / ".autograder" / "verdicts")
    for key in record.verdicts.values():
        verdict = kept.find(key)
        if verdict is not None and verdict.waits_for("cuda"):
            tests = [
                replace(test, outcome="passed" if test.device == "cuda" else "pending")
                for test in verdict.tests
            ]
            kept.put(key, replace(verdict, tests=tuple(tests)), "cuda")


def graded_again(course: Path, run: Any) -> dict[str, Any]:
    done = run("autograder", "grade", NAME, "--json", "marks.json", cwd=course)
    assert done.returncode == 0, done.stdout + done.stderr
    (submission,) = json.loads((course / "marks.json").read_text())["submissions"]
    return submission


def outcomes(submission: dict[str, Any], device: str) -> list[str]:
    exercises = submission["exercises"].values()
    tests = [test for exercise in exercises for test in exercise["tests"]]
    return [test["outcome"] for test in tests if test["device"] == device]


def cells(course: Path) -> dict[str, tuple[float | None, bool]]:
    """The automatic score of each cell, and whether it waits."""
    with Gradebook(f"sqlite:///{course / 'gradebook.db'}", "attention") as book:
        notebook = book.find_submission_notebook(NAME, NAME, STUDENT)
        return {one.name: (one.auto_score, bool(one.needs_manual_grade)) for one in notebook.grades}


def test_a_gpu_completes_the_marks_and_touches_none_of_the_cpus(course: Path, run: Any) -> None:
    before, waiting = graded_again(course, run), cells(course)
    assert before["score"] + before["pending_points"] == pytest.approx(before["max_score"])
    assert set(outcomes(before, "cuda")) == {"pending"}
    earned, waits = waiting["test_causal_mask"]
    assert waits
    assert 0 < (earned or 0) < 2.0

    found_on_a_gpu(course)
    after, complete = graded_again(course, run), cells(course)
    assert set(outcomes(after, "cuda")) == {"passed"}
    assert outcomes(after, "cpu") == outcomes(before, "cpu")
    pending = sum(
        test["points"]
        for exercise in before["exercises"].values()
        for test in exercise["tests"]
        if test["outcome"] == "pending" and test["device"] == "cuda"
    )
    assert pending > 0
    assert after["score"] == pytest.approx(before["score"] + pending, abs=0.01)
    assert complete["test_causal_mask"] == (2.0, False)
    for_a_person = {
        f"test_{name}" if f"test_{name}" in complete else name
        for name, exercise in after["exercises"].items()
        if exercise["pending_points"]
    }
    assert {name for name, (_, waits) in complete.items() if waits} == for_a_person
    others = {name for name, (_, waits) in waiting.items() if not waits}
    assert {name: waiting[name] for name in others} == {name: complete[name] for name in others}

    notebook = course / "autograded" / STUDENT / NAME / f"{NAME}.ipynb"
    written = notebook.stat().st_ino
    assert graded_again(course, run)["score"] == after["score"]
    assert notebook.stat().st_ino == written, "nothing has changed, and it was written again"

    done = run("nbgrader", "autograde", NAME, "--force", "--student", STUDENT, cwd=course)
    assert done.returncode == 0, done.stdout + done.stderr
    assert cells(course) == complete
