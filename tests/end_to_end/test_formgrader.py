"""formgrader's Autograde button, pressed on a real server, gives `autograder grade`'s marks."""

import shutil
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from formgrader import ask, running
from line_fitting import NAME
from marks import in_gradebook

pytestmark = pytest.mark.slow

STUDENTS = ("ada", "chloe")


@pytest.fixture
def course(small_class: Path, tmp_path: Path) -> Path:
    """The graded course again, with no score in the gradebook and no verdict stored."""
    course = tmp_path / "course"
    shutil.copytree(small_class, course, symlinks=True)
    with sqlite3.connect(course / "gradebook.db") as database:
        database.execute("update grade set auto_score = null, needs_manual_grade = 1")
    for derived in ("autograded", "feedback", ".autograder/verdicts"):
        shutil.rmtree(course / derived, ignore_errors=True)
    return course


@pytest.fixture
def server(course: Path, scripts: Path, environment: dict[str, str]) -> Iterator[str]:
    """The address of a server on the course."""
    with running(course, scripts, environment) as address:
        yield address


def test_the_button_gives_the_same_marks(small_class: Path, course: Path, server: str) -> None:
    wanted = in_gradebook(small_class)
    for student in STUDENTS:
        answer = ask(f"{server}/formgrader/api/submission/{NAME}/{student}/autograde", b"", "POST")
        assert answer["success"], answer
    for (student, assignment, cell), mark in in_gradebook(course).items():
        given = wanted[student, assignment, cell]
        assert mark == (given if student in STUDENTS else (None, True))
    assert (course / "autograded" / "chloe" / NAME / f"{NAME}.ipynb").is_file()


def test_it_is_reached_by_its_address_and_by_the_menu_of_jupyter_lab(server: str) -> None:
    assert "<title>nbgrader formgrade" in ask(f"{server}/formgrader")
    assert "@jupyter/nbgrader" in ask(f"{server}/lab")  # the extension that adds the menu
