"""Assignments, as their sources declare them."""

from pathlib import Path

import pytest

from autograder.course import CourseError, load_course
from autograder.course.assignments import read_assignment


def percent(folder: Path, text: str) -> Path:
    path = folder / "03-causal-masking.py"
    path.write_text(text, encoding="utf-8")
    return path


def test_exercises_come_in_the_notebooks_order_with_their_points(tmp_path: Path) -> None:
    text = '# %% exercise="b" points=2\n\n# %% quiz="q1" points=1\n\n# %% exercise="a" points=0.5\n'
    assignment = read_assignment(percent(tmp_path, text))
    assert [(one.name, one.points, one.kind) for one in assignment.exercises] == [
        ("b", 2.0, "code"),
        ("q1", 1.0, "quiz"),
        ("a", 0.5, "code"),
    ]
    assert assignment.module == "causal_masking"
    assert assignment.max_points == 3.5


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('# %% exercise="a"\n', "needs points"),
        ('# %% exercise="a" points=0\n', "above 0"),
        ('# %% exercise="a b" points=1\n', "not a Python name"),
        ('# %% exercise="a" points=1\n\n# %% exercise="a" points=1\n', "declared 2 times"),
    ],
)
def test_a_wrong_declaration_is_told(tmp_path: Path, text: str, told: str) -> None:
    with pytest.raises(CourseError, match=told):
        read_assignment(percent(tmp_path, text))


def test_an_unknown_assignment_is_told_with_the_nearest(course_root: Path) -> None:
    with pytest.raises(CourseError, match=r"'03-casual-masking'.*mean '03-causal-masking'"):
        load_course(course_root).assignment("03-casual-masking")
