"""The demo replaces its own folder and no other."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.slow


@pytest.fixture
def course(make_line_fitting: Callable[[Path], Path], tmp_path: Path) -> Path:
    course = make_line_fitting(tmp_path / "course")
    (course / "examples" / "submitted").mkdir(parents=True)
    return course


@pytest.mark.parametrize("into", [".", "..", "other"])
def test_a_folder_that_no_demo_made_is_left_alone(
    run: Any, course: Path, make_line_fitting: Callable[[Path], Path], into: str
) -> None:
    make_line_fitting(course / "other")
    before = sorted(course.parent.rglob("*"))
    done = run("autograder", "demo", "--into", into, cwd=course)
    assert done.returncode == 2
    assert "no demo made" in done.stderr
    assert sorted(course.parent.rglob("*")) == before


def test_its_own_folder_is_made_anew(run: Any, course: Path) -> None:
    for _ in range(2):
        done = run("autograder", "demo", "--into", "fresh", cwd=course)
        assert "nothing to grade" in done.stderr  # the sample class of this course is empty
        assert (course / "fresh" / "release").is_dir()
        assert not (course / "fresh" / "left over").exists()
        (course / "fresh" / "left over").touch()
