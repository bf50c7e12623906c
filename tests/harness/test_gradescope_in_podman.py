"""The zip set up and run in a real container: root, its usual capabilities, no network."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from gradescope_container import IMAGE, UBUNTU, Podman, build, graded, make_base, why_not
from gradescope_format import faults_of
from line_fitting import AUTOMATIC, NAME, all_right, cell_of, released
from nbformat import NotebookNode

from autograder.course import load_course
from autograder.harness.gradescope import write

pytestmark = [
    pytest.mark.slow,
    pytest.mark.in_full,
    pytest.mark.skipif(why_not() is not None, reason=f"no such container here: {why_not()}"),
]
ID = "ada@uni.example"
# Tries each of these, and tells in the one text of a student's that feedback shows.
READS = """
import os, pathlib
found = []
for path in (
    "/autograder/source", "/autograder/source/course/.autograder/secret", "/autograder/results",
    "/autograder/submission", "/autograder/submission_metadata.json", "/tmp", "/proc/1/environ",
):
    try:
        place = pathlib.Path(path)
        found.append(list(place.iterdir()) if place.is_dir() else place.read_bytes())
    except OSError:
        continue
for path in ("/autograder/results/results.json", "/autograder/x", "/tmp/x"):
    try:
        pathlib.Path(path).write_text('{"score": 1000}')
        found.append(path)
    except OSError:
        continue
raise RuntimeError(f"reached {len(found)}: {found}"[:200])
"""
FORKS = """
import os
forked = 0
for _ in range(50):
    try:
        if os.fork() == 0:
            os.execv("/bin/sh", ["sh", "-c", "echo 1000 > /autograder/results/results.json"])
        forked += 1
    except OSError:
        continue
raise RuntimeError(f"forked {forked}")
"""


@pytest.fixture(scope="module")
def course(
    make_line_fitting: Callable[[Path], Path], run: Any, tmp_path_factory: pytest.TempPathFactory
) -> Path:
    """The second course, released."""
    folder = make_line_fitting(tmp_path_factory.mktemp("gradescope") / "course")
    assert run("autograder", "release", cwd=folder).returncode == 0
    return folder


@pytest.fixture(scope="module")
def podman(course: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Podman]:
    """An engine that has the image, built by the zip's own setup.sh."""
    folder = tmp_path_factory.mktemp("image")
    engine = Podman(folder)
    make_base(engine, UBUNTU, folder)
    write(load_course(course), [NAME], folder / "autograder.zip")
    built = build(engine, UBUNTU, folder / "autograder.zip", folder)
    assert built.returncode == 0, built.stdout[-3000:] + built.stderr[-3000:]
    assert "Grading here runs in landlock+seccomp" in built.stdout
    yield engine
    engine("rmi", "--force", IMAGE)


@pytest.fixture
def results_of(podman: Podman, tmp_path: Path) -> Callable[[NotebookNode], dict[str, Any]]:
    """Grade a notebook in a container of its own."""

    def results_of(notebook: NotebookNode) -> dict[str, Any]:
        (tmp_path / "submission").mkdir()
        (tmp_path / "submission" / f"{NAME}.ipynb").write_text(json.dumps(notebook))
        done = graded(podman, tmp_path / "run", tmp_path / "submission")
        assert done.returncode == 0, done.stderr
        text = (tmp_path / "run/results/results.json").read_text(encoding="utf-8")
        results = json.loads(text)
        assert faults_of(results) == []
        return results

    return results_of


def test_right_work_has_all_marks_there(course: Path, results_of: Any) -> None:
    assert results_of(all_right(course, ID))["score"] == AUTOMATIC


def test_untouched_work_has_none_there(course: Path, results_of: Any) -> None:
    assert results_of(released(course))["score"] == 0


@pytest.mark.parametrize(
    ("attack", "told"), [(READS, "reached 0: []"), (FORKS, "forked 0")], ids=["reads", "forks"]
)
def test_attacks_gain_nothing_there(attack: str, told: str, course: Path, results_of: Any) -> None:
    notebook = released(course)
    cell_of(notebook, "predict").source = attack
    results = results_of(notebook)
    assert results["score"] == 0
    predict = results["extra_data"]["autograder"]["exercises"]["predict"]
    assert told in predict["feedback"]["error"]
