"""Courses to build releases from: a small one, and a copy of this repository's own."""

import shutil
from pathlib import Path

import pytest
from nbgrader.api import Gradebook
from small_course import REPOSITORY, make_course

from autograder.build.student_version import find_scripts


@pytest.fixture(scope="session")
def empty_gradebook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A gradebook as nbgrader makes it; making one takes over a second."""
    path = tmp_path_factory.mktemp("gradebook") / "gradebook.db"
    find_scripts()
    Gradebook(f"sqlite:///{path}").close()
    return path


@pytest.fixture
def root(tmp_path: Path, empty_gradebook: Path) -> Path:
    """A course's folder."""
    root = make_course(tmp_path / "course")
    shutil.copy(empty_gradebook, root / "gradebook.db")
    return root


@pytest.fixture(scope="session")
def real_root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of this repository's own course."""
    root = tmp_path_factory.mktemp("real") / "course"
    without = shutil.ignore_patterns("*.ipynb", "__pycache__", ".ipynb_checkpoints")
    for folder in ("assignments", "solutions"):
        shutil.copytree(REPOSITORY / folder, root / folder, ignore=without)
    for file in ("course_config.py", "nbgrader_config.py"):
        shutil.copy(REPOSITORY / file, root / file)
    return root
