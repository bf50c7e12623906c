"""A course to build releases from: the second one, sources alone."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest


@pytest.fixture
def root(make_line_fitting: Callable[[Path], Path], tmp_path: Path, empty_gradebook: Path) -> Path:
    """The course's folder."""
    root = make_line_fitting(tmp_path / "course")
    shutil.copy(empty_gradebook, root / "gradebook.db")
    return root
