"""A new gradebook is stamped as nbgrader stamps it, wherever the `alembic` command is."""

import os
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from sqlalchemy import text

from autograder.course import load_course
from autograder.gradebook.scores import open_gradebook

ASK = "from nbgrader.api import get_alembic_version as v; print(v())"


def test_its_revision_is_nbgraders_own(
    make_line_fitting: Callable[[Path], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scripts = sysconfig.get_path("scripts")
    environment = os.environ | {"PATH": f"{scripts}{os.pathsep}{os.environ['PATH']}"}
    asked = subprocess.run(
        [sys.executable, "-c", ASK], env=environment, capture_output=True, text=True, check=True
    )
    root = make_line_fitting(tmp_path / "course")
    monkeypatch.setenv("PATH", "")
    with open_gradebook(load_course(root)) as gradebook:
        assert stamp(gradebook) == asked.stdout.strip() != ""


def stamp(gradebook: Gradebook) -> str:
    """The revision that a gradebook says it has."""
    return str(gradebook.db.execute(text("select version_num from alembic_version")).scalar_one())
