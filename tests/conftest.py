"""What tests of several rooms share: the real course, copies of it, and the real commands."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
# The endless loop of the sample class should not hold the tests up for long.
IMPATIENT = "\nc.SubmissionLimits.call_seconds = 3\nc.SubmissionLimits.cell_seconds = 3\n"

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="session")
def course_root() -> Path:
    """The folder of the real course."""
    return ROOT


@pytest.fixture(scope="session")
def scripts() -> Path:
    """Where the environment's programs are."""
    return Path(sys.executable).parent


@pytest.fixture(scope="session")
def environment(scripts: Path) -> dict[str, str]:
    """The variables after `source .venv/bin/activate`: nbgrader starts alembic by its bare name."""
    return os.environ | {"PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}


@pytest.fixture(scope="session")
def run(scripts: Path, environment: dict[str, str]) -> Run:
    """Run one of the environment's programs as a person would."""

    def run(program: str, *arguments: object, cwd: Path) -> subprocess.CompletedProcess[str]:
        command = [str(scripts / program), *map(str, arguments)]
        return subprocess.run(
            command, cwd=cwd, capture_output=True, text=True, timeout=300, env=environment
        )

    return run


@pytest.fixture(scope="session")
def make_course() -> Callable[[Path], Path]:
    """Make a course of its own in a folder: the real sources, nothing built or submitted."""

    def make_course(folder: Path) -> Path:
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / "nbgrader_config.py", folder)
        config = (ROOT / "course_config.py").read_text(encoding="utf-8")
        (folder / "course_config.py").write_text(config + IMPATIENT, encoding="utf-8")
        for name in ("assignments", "solutions"):
            built = shutil.ignore_patterns("*.ipynb", "__pycache__")
            shutil.copytree(ROOT / name, folder / name, ignore=built)
        return folder

    return make_course
