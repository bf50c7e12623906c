"""The zip for Gradescope, and what it writes where it is run in a plain folder."""

import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from gradescope_container import unpacked
from gradescope_format import faults_of
from line_fitting import AUTOMATIC, NAME, all_right, cell_of, hand_in, released
from nbformat import NotebookNode

from autograder.course import CourseError, load_course
from autograder.harness.gradescope import write

pytestmark = pytest.mark.slow

ID = "ada@uni.example"
USER = {"users": [{"id": 7, "email": ID, "name": "Ada"}]}
WRONG = "def mean_squared_error(predicted, actual):\n    return sum((predicted - actual) ** 2)"
RAISES = (
    "def predict(x, slope, intercept):\n    return x\nraise ValueError('<script>alert(1)</script>')"
)


@pytest.fixture(scope="module")
def course(
    make_line_fitting: Callable[[Path], Path], run: Any, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The second course, released."""
    folder = make_line_fitting(tmp_path_factory.mktemp("gradescope") / "course")
    assert run("autograder", "release", cwd=folder).returncode == 0
    return folder


@pytest.fixture(scope="module")
def archive(course: Path) -> Path:
    """Its zip."""
    file = course.parent / "autograder.zip"
    write(load_course(course), [NAME], file)
    return file


@pytest.fixture(scope="module")
def source(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The zip, unpacked as Gradescope does."""
    return unpacked(archive, tmp_path_factory.mktemp("unpacked") / "source")


@pytest.fixture
def graded(
    source: Path, tmp_path: Path
) -> Callable[..., tuple[dict[str, Any] | None, subprocess.CompletedProcess[str]]]:
    """Run `run_autograder` on a file; gives the results, None without any, and what was printed."""

    def graded(
        content: NotebookNode | str, name: str = f"{NAME}.ipynb", **paths: Path
    ) -> tuple[dict[str, Any] | None, subprocess.CompletedProcess[str]]:
        root = tmp_path / "autograder"
        file = root / "submission" / name
        file.parent.mkdir(parents=True)
        file.write_text(content if isinstance(content, str) else json.dumps(content))
        (root / "submission_metadata.json").write_text(json.dumps(USER))
        (root / "results").mkdir()
        (root / "results" / "results.json").write_text('{"score": 1000}')  # of an earlier run
        own = {"AUTOGRADER_ROOT": root, "AUTOGRADER_SOURCE": source, **paths}
        done = subprocess.run(
            [source / "run_autograder"],
            env=os.environ
            | {"AUTOGRADER_PYTHON": sys.executable}
            | {key: str(value) for key, value in own.items()},
            capture_output=True,
            text=True,
        )
        written = root / "results" / "results.json"
        if not written.exists():
            return None, done
        results = json.loads(written.read_text(encoding="utf-8"))
        assert faults_of(results) == []
        return results, done

    return graded


def test_the_zip_holds_what_gradescope_looks_for_at_its_root(archive: Path) -> None:
    with zipfile.ZipFile(archive) as opened:
        for name in ("setup.sh", "run_autograder"):
            assert opened.read(name).startswith(b"#!/usr/bin/env bash\n")
            assert opened.getinfo(name).external_attr >> 16 & 0o777 == 0o755
        names = opened.namelist()
        told = opened.read("README.md").decode()
    assert "course/.autograder/secret" in names
    assert not [name for name in names if name.startswith("/") or ".." in name]
    assert f"Autograder points: {AUTOMATIC:g}" in told
    assert "Another 3 wait for a person" in told
    assert archive.stat().st_mode & 0o077 == 0


def test_the_same_course_gives_the_same_zip(course: Path, archive: Path, tmp_path: Path) -> None:
    write(load_course(course), [NAME], tmp_path / "again.zip")
    assert (tmp_path / "again.zip").read_bytes() == archive.read_bytes()


def test_setup_is_a_script_that_a_shell_can_read(source: Path) -> None:
    for name in ("setup.sh", "run_autograder"):
        subprocess.run(["bash", "-n", source / name], check=True)
    assert "torch" not in (source / "setup.sh").read_text()


def test_torch_comes_first_and_from_its_own_index(course_root: Path, tmp_path: Path) -> None:
    write(load_course(course_root), ["03-causal-masking"], tmp_path / "attention.zip")
    with zipfile.ZipFile(tmp_path / "attention.zip") as opened:
        script = opened.read("setup.sh").decode()
    first = re.search(r"pip install --index-url (\S+) torch==", script)
    assert first is not None
    assert first[1] == "https://download.pytorch.org/whl/cpu"
    assert first.start() < script.index("--requirement")


def test_several_assignments_are_refused_with_the_way_to_name_one(course: Path) -> None:
    with pytest.raises(CourseError, match=r"--assignment 01-a --output FILE\.zip"):
        write(load_course(course), ["01-a", "02-b"], course.parent / "two.zip")


def test_marks_are_those_of_autograder_grade(
    course: Path, run: Any, graded: Any, tmp_path: Path
) -> None:
    notebook = all_right(course, ID)
    cell_of(notebook, "mean_squared_error").source = WRONG
    cell_of(notebook, "predict").source = RAISES
    cell_of(notebook, "w1").source = "Each step goes further than the one before it."
    keep_one = shutil.copytree(course, tmp_path / "graded")
    hand_in(keep_one, ID, notebook)
    run("autograder", "grade", "--json", "marks.json", cwd=keep_one)
    (expected,) = json.loads((keep_one / "marks.json").read_text())["submissions"]
    results, _ = graded(notebook)
    assert results["score"] == expected["score"]
    found = results["extra_data"]["autograder"]
    for one in (found, expected):
        one.pop("seconds")
    assert found == expected

    tests = results["tests"]
    assert sum(one.get("score", 0.0) for one in tests) == pytest.approx(expected["score"])
    assert sum(one.get("max_score", 0.0) for one in tests) == pytest.approx(AUTOMATIC)
    (waiting,) = [one for one in tests if one["name"].startswith("w1")]
    assert not {"score", "max_score", "status"} & waiting.keys()
    assert "3 points, from your instructor" in waiting["output"]

    hint = expected["exercises"]["mean_squared_error"]["feedback"]["hint"]
    told = [one for one in tests if "<b>Hint.</b>" in one.get("output", "")]
    assert hint is not None
    assert len([one for one in told if one["name"].startswith("mean_squared_error")]) == 1
    shown = json.dumps([results["output"], tests])
    assert "<script>" not in shown
    assert "&lt;script&gt;" in shown


def test_untouched_work_earns_nothing_and_is_told_so(course: Path, graded: Any) -> None:
    results, _ = graded(released(course))
    assert results["score"] == 0
    scored = [one for one in results["tests"] if "score" in one]
    assert {one["status"] for one in scored} == {"failed"}
    assert sum(one["max_score"] for one in scored) == pytest.approx(AUTOMATIC)  # none of w1's


def test_a_notebook_under_another_name_in_a_folder_is_taken(course: Path, graded: Any) -> None:
    results, _ = graded(all_right(course, ID), name=f"handed in/{NAME} (1).ipynb")
    assert results["score"] == AUTOMATIC
    assert "was taken for" in results["output"]


@pytest.mark.parametrize(("content", "name"), [("{", f"{NAME}.ipynb"), ("x", "notes.txt")])
def test_what_is_no_notebook_is_named_with_what_to_do(content: str, name: str, graded: Any) -> None:
    results, _ = graded(content, name)
    assert results["score"] == 0
    (only,) = results["tests"]
    assert only["max_score"] == 23
    assert f"The notebook is {NAME}.ipynb" in results["output"]


def test_a_fault_of_ours_leaves_no_results_and_so_no_score(
    course: Path, source: Path, graded: Any, tmp_path: Path
) -> None:
    broken = Path(shutil.copytree(source, tmp_path / "broken"))
    with (broken / "course/course_config.py").open("a") as config:
        config.write("c.SubmissionLimits.call_seconds = 'soon'\n")
    results, done = graded(all_right(course, ID), AUTOGRADER_SOURCE=broken)
    assert results is None
    assert done.returncode == 1
    assert "NOT GRADED, by a fault that is not the student's" in done.stderr


def test_a_grader_that_is_broken_leaves_its_exercise_waiting(
    course: Path, source: Path, graded: Any, tmp_path: Path
) -> None:
    broken = Path(shutil.copytree(source, tmp_path / "broken"))
    (broken / "course/graders/line_fitting/predict/hidden.py").unlink()
    results, done = graded(all_right(course, ID), AUTOGRADER_SOURCE=broken)
    assert results["score"] == AUTOMATIC - 2
    (predict,) = [one for one in results["tests"] if one["name"].startswith("predict")]
    assert not {"score", "max_score"} & predict.keys()
    assert "predict waits for you" in done.stdout
    assert "hidden.py" not in json.dumps(results)


def test_what_a_course_hides_is_not_shown(
    course: Path, source: Path, graded: Any, tmp_path: Path
) -> None:
    silent = Path(shutil.copytree(source, tmp_path / "silent"))
    with (silent / "course/course_config.py").open("a") as config:
        config.write("c.FeedbackPolicy.details_from = '2100-01-01T00:00'\n")
    notebook = all_right(course, ID)
    cell_of(notebook, "mean_squared_error").source = WRONG
    results, _ = graded(notebook, AUTOGRADER_SOURCE=silent)
    names = [one["name"] for one in results["tests"]]
    assert [name for name in names if name.startswith("mean_squared_error")] == [
        "mean_squared_error: Partly right"
    ]
    assert "Hint" not in json.dumps(results["tests"])
