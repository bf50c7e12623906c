"""A course with the sample class, released, graded and given feedback by the real commands."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from marks import SCRIPTS

# The endless loop of the sample class should not hold the tests up for long.
IMPATIENT = "\nc.SubmissionLimits.call_seconds = 3\nc.SubmissionLimits.cell_seconds = 3\n"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep these tests in one process of `pytest -n`: they share a graded class."""
    for item in items:
        if "graded" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.xdist_group("graded"))


Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def run() -> Run:
    """Run one of the environment's programs as a person would."""

    def run(program: str, *arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
        command = [str(SCRIPTS / program), *map(str, arguments)]
        # As after `source .venv/bin/activate`: nbgrader starts alembic by its bare name.
        environment = os.environ | {"PATH": f"{SCRIPTS}{os.pathsep}{os.environ['PATH']}"}
        return subprocess.run(
            command, cwd=cwd, capture_output=True, text=True, timeout=300, env=environment
        )

    return run


def copy_course(root: Path, into: Path) -> Path:
    """A course of its own, its submissions the sample class."""
    into.mkdir(parents=True)
    shutil.copy(root / "nbgrader_config.py", into)
    config = (root / "course_config.py").read_text(encoding="utf-8")
    (into / "course_config.py").write_text(config + IMPATIENT, encoding="utf-8")
    for name in ("assignments", "solutions"):
        shutil.copytree(root / name, into / name, ignore=shutil.ignore_patterns("*.ipynb"))
    shutil.copytree(root / "examples" / "submitted", into / "submitted", symlinks=True)
    return into


@pytest.fixture(scope="session")
def graded(
    course_root: Path, run: Run, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Path, dict[str, Any], subprocess.CompletedProcess[str]]:
    """The sample class after `autograder release` and `autograder grade --json`."""
    folder = copy_course(course_root, tmp_path_factory.mktemp("graded") / "course")
    released = run("autograder", "release", cwd=folder)
    assert released.returncode == 0, released.stderr
    done = run("autograder", "grade", "--json", "marks.json", cwd=folder)
    assert (folder / "marks.json").is_file(), done.stderr
    return folder, json.loads((folder / "marks.json").read_text()), done
