"""Whatever an instructor has left to write is found, in every file of the assignment."""

from collections.abc import Callable
from pathlib import Path

import pytest
from line_fitting import NAME

from autograder.course import load_course
from autograder.proof import todos

PLACES = (
    f"assignments/{NAME}/{NAME}.py",
    "solutions/line_fitting/reference.py",
    "solutions/line_fitting/quiz.toml",
    "solutions/line_fitting/written.toml",
    f"assignments/{NAME}/checks/line_fitting.py",
    f"assignments/{NAME}/hints.toml",
    "graders/line_fitting/predict/hidden.py",
    "graders/line_fitting/predict/mistakes.py",
    "graders/line_fitting/equivalents.toml",
    "graders/line_fitting/tests/test_line_fitting_reference.py",
)


@pytest.fixture
def root(make_line_fitting: Callable[[Path], Path], tmp_path: Path) -> Path:
    return make_line_fitting(tmp_path / "course")


@pytest.mark.parametrize("place", PLACES)
def test_a_todo_is_found_where_it_stands(root: Path, place: str) -> None:
    course = load_course(root)
    assignment = course.assignment(NAME)
    assert todos(course, assignment) == []
    path = root / place
    path.parent.mkdir(parents=True, exist_ok=True)
    text = path.read_text() if path.is_file() else "import solutions.line_fitting\n"
    path.write_text(f"{text}# TODO: say why\n")
    (found,) = todos(course, assignment)
    assert found.path == path
    assert found.text == "TODO: say why"
    assert found.line == len(text.splitlines()) + 1


def test_nothing_is_left_to_write_in_this_course(course_root: Path) -> None:
    course = load_course(course_root)
    assert [todo for one in course.assignments.values() for todo in todos(course, one)] == []
