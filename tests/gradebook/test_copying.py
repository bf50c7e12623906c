"""What nbgrader copies of a student's folder, and may serve to an instructor's browser."""

from collections.abc import Callable
from pathlib import Path

import pytest
from line_fitting import NAME

from autograder.gradebook.copying import find_plain_files

TAME = {"plot.png", "data.csv", "mine.py", "timestamp.txt"}
ACTIVE = {"page.html", "PAGE.HTM", "page.xhtml", "drawing.svg", "feed.xml", "page", "page.html.gz"}


@pytest.fixture
def course(
    make_line_fitting: Callable[[Path], Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Path:
    folder = make_line_fitting(tmp_path / "course")
    monkeypatch.chdir(folder)  # where nbgrader converts
    return folder


def names_below(folder: Path) -> set[str]:
    folder.mkdir(parents=True)
    for name in TAME | ACTIVE:
        (folder / name).write_text("x")
    (folder / "link.txt").symlink_to(folder / "data.csv")
    return {Path(path).name for path in find_plain_files(str(folder))}


def test_nothing_of_a_student_that_a_browser_would_run_is_copied(course: Path) -> None:
    assert names_below(course / "submitted" / "ada" / NAME) == TAME


def test_an_instructors_own_pages_are_copied(course: Path) -> None:
    assert names_below(course / "assignments" / NAME / "extra") == TAME | ACTIVE
