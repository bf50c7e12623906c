"""Classroom 50's entry, run in a plain folder as the runner would start it.

Its dependencies are installed already, so that it installs nothing; the engine that it runs is that
of the wheel beside it.
"""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from line_fitting import NAME
from platform_class import BONUS, GRADED, broken_copy, make_class, marks
from result_schemas import assert_classroom50

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("classroom50")]


@pytest.fixture(scope="module")
def course(
    make_line_fitting: Callable[[Path], Path], run: Any, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    return make_class(make_line_fitting, run, tmp_path_factory.mktemp("classroom50") / "course")


@pytest.fixture(scope="module")
def visible(course: Path, run: Any) -> Path:
    return written(course, run, "visible")


@pytest.fixture(scope="module")
def graded(course: Path, run: Any) -> Path:
    return written(course, run, "graded", "--with-graders")


def written(course: Path, run: Any, name: str, *options: str) -> Path:
    output = course.parent / name
    done = run("autograder", "harness", "classroom50", *options, "--output", output, cwd=course)
    assert done.returncode == 0, done.stderr
    return output


def start(
    harness: Path, course: Path, student: str, folder: Path, inside: str = ""
) -> tuple[subprocess.CompletedProcess[str], Path]:
    """Start the entry in a checkout as the runner does; gives what it said, and the checkout."""
    checkout = folder / "checkout"
    shutil.copytree(course / "release" / NAME, checkout / inside)
    shutil.copytree(course / "submitted" / student / NAME, checkout / inside, dirs_exist_ok=True)
    (checkout / ".git").mkdir()
    given = {
        "CLASSROOM": "fitting",
        "ASSIGNMENT": "lines",
        "SUBMISSION_TAG": "submit/2026-11-25T10-00-00Z-abcdef0",
        "COMMIT_URL": "https://example.org/commit",
        "RELEASE_URL": "https://example.org/release",
        "REVIEW_URL": "https://example.org/review",
        "OWNER": student,
        "ASSIGNMENT_TYPE": "individual",
        "GITHUB_OUTPUT": str(folder / "told"),
    }
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    entry = harness / "autograders" / NAME / "autograder.py"
    done = subprocess.run(
        [sys.executable, str(entry)],
        cwd=checkout,
        env=environment | given,
        capture_output=True,
        text=True,
    )
    return done, checkout


def result_of(done: subprocess.CompletedProcess[str], checkout: Path) -> dict[str, Any]:
    assert done.returncode == 0, done.stdout + done.stderr
    result = json.loads((checkout / "result.json").read_text(encoding="utf-8"))
    assert_classroom50(result)
    return result


@pytest.mark.parametrize("student", GRADED)
def test_graded_in_full_the_marks_are_those_of_the_command(
    graded: Path, course: Path, tmp_path: Path, student: str
) -> None:
    entry = marks(course)[student]
    result = result_of(*start(graded, course, student, tmp_path))
    tests = {one["test-name"].partition(" ")[0]: one for one in result["tests"]}
    assert {name: one["points"] for name, one in tests.items()} == {
        name: one["score"] for name, one in entry["exercises"].items()
    }
    assert result["score"] / 100 == entry["score"]
    counted = sum(one["max-score"] for one in result["tests"] if not one["bonus"])
    assert counted / 100 == entry["max_score"] - entry["pending_points"]
    assert tests[BONUS]["max-score"] == 300
    assert tests["mean_squared_error"]["max-score"] == 250
    told = (tmp_path / "told").read_text(encoding="utf-8")
    assert f"status={'success' if student == 'full' else 'failure'}\n" in told
    waits = "and 3 still open" in told
    assert waits == (student == "full")


def test_graded_in_full_what_cannot_be_read_is_no_mark(
    graded: Path, course: Path, tmp_path: Path
) -> None:
    done, checkout = start(graded, course, "unreadable", tmp_path)
    result = result_of(done, checkout)
    assert (result["score"], result["max-score"]) == (0, 0)
    assert "status=failure" in (tmp_path / "told").read_text(encoding="utf-8")


def test_a_broken_grader_leaves_no_result(graded: Path, course: Path, tmp_path: Path) -> None:
    broken = broken_copy(graded, tmp_path / "broken")
    done, checkout = start(broken, course, "full", tmp_path)
    assert done.returncode == 1
    assert "::error::There is no mark" in done.stdout
    assert "predict" in done.stdout
    assert "3.25" not in done.stdout + done.stderr
    assert not (checkout / "result.json").exists()


@pytest.mark.parametrize(
    ("student", "inside", "passed"),
    [
        ("full", "", 6),
        ("full", NAME, 6),
        ("untouched", "", 1),
        ("wrong", "", 3),
        ("unreadable", "", 0),
    ],
)
def test_visible_checks_and_form_are_counted(
    visible: Path, course: Path, tmp_path: Path, student: str, inside: str, passed: int
) -> None:
    done, checkout = start(visible, course, student, tmp_path, inside)
    result = result_of(done, checkout)
    assert (result["score"], result["max-score"]) == (passed, 6)
    body = (checkout / "release-body.md").read_text(encoding="utf-8")
    assert "They are not the mark." in body
    assert f"{passed} of 6 visible checks pass" in (tmp_path / "told").read_text(encoding="utf-8")


def test_a_cell_that_is_gone_is_told(visible: Path, course: Path, tmp_path: Path) -> None:
    other = tmp_path / "course"
    shutil.copytree(course, other)
    path = other / "submitted" / "full" / NAME / f"{NAME}.ipynb"
    notebook = json.loads(path.read_text(encoding="utf-8"))
    notebook["cells"] = [
        cell
        for cell in notebook["cells"]
        if cell["metadata"].get("nbgrader", {}).get("grade_id") != "predict"
    ]
    path.write_text(json.dumps(notebook), encoding="utf-8")
    result = result_of(*start(visible, other, "full", tmp_path))
    form = result["tests"][0]
    assert (form["passed"], form["message"]) == (
        False,
        "Cells are missing: predict. Copy them from a fresh download.",
    )


def test_checks_that_cannot_run_leave_no_result(
    visible: Path, course: Path, tmp_path: Path
) -> None:
    broken = tmp_path / "broken"
    shutil.copytree(visible, broken)
    checks = broken / "autograders" / NAME / "checks" / "kit" / "terminal" / "runner.py"
    checks.write_text("raise SystemExit(3)\n", encoding="utf-8")
    done, checkout = start(broken, course, "full", tmp_path)
    assert done.returncode == 1
    assert "::error::" in done.stdout
    assert not (checkout / "result.json").exists()


def test_another_python_is_refused_before_anything_is_installed(
    visible: Path, course: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    shutil.copytree(visible, other)
    settings = other / "autograders" / NAME / "settings.json"
    told = json.loads(settings.read_text(encoding="utf-8")) | {"python": "3.9"}
    settings.write_text(json.dumps(told), encoding="utf-8")
    done, checkout = start(other, course, "full", tmp_path)
    assert done.returncode == 1
    assert '"python": "3.9"' in done.stdout
    assert not (checkout / "result.json").exists()


def test_nothing_secret_is_written_unless_it_is_asked_for(
    visible: Path, graded: Path, course: Path
) -> None:
    secret = (course / ".autograder" / "secret").read_bytes().strip()
    assert len(secret) > 16
    assert holds(graded, secret)
    assert not holds(visible, secret)
    names = {part for path in visible.rglob("*") for part in path.relative_to(visible).parts}
    assert not names & {"solutions", "graders", "course"}
    for module in ("reference", "hidden", "probe", "mistakes"):
        (original, *_) = course.rglob(f"{module}.py")
        assert not holds(visible, original.read_bytes().strip())
    readme = (visible / "README.md").read_text(encoding="utf-8")
    assert "**Nothing here is secret.**" in readme
    assert "untested on the platform" in readme.lower()
    warned = (graded / "README.md").read_text(encoding="utf-8")
    assert "WARNING" in warned
    assert "hundredths of a point" in warned


def holds(folder: Path, content: bytes) -> bool:
    """Whether some file of a folder, or of a wheel in it, holds these bytes."""
    for path in folder.rglob("*"):
        if path.suffix == ".whl":
            archive = zipfile.ZipFile(path)
            if any(content in archive.read(name) for name in archive.namelist()):
                return True
        elif path.is_file() and content in path.read_bytes():
            return True
    return False


def test_the_choice_is_classroom50s_alone(course: Path, run: Any, tmp_path: Path) -> None:
    output = ("--output", tmp_path / "out")
    done = run("autograder", "harness", "gradescope", "--with-graders", *output, cwd=course)
    assert done.returncode == 2
    assert "classroom50 alone" in done.stderr


def test_a_folder_of_somebody_elses_stays(course: Path, run: Any, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("mine")
    done = run("autograder", "harness", "classroom50", "--output", tmp_path, cwd=course)
    assert done.returncode != 0
    assert "Name a new folder" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["notes.txt"]
