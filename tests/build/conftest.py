"""Courses to build releases from: a small one, and a copy of this repository's own."""

import shutil
from pathlib import Path

import pytest
from small_course import REPOSITORY, make_course


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
    for folder in ("assignments", "solutions", "graders"):
        shutil.copytree(REPOSITORY / folder, root / folder, ignore=without)
    for file in ("course_config.py", "nbgrader_config.py"):
        shutil.copy(REPOSITORY / file, root / file)
    return root
