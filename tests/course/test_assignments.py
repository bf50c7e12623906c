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
    assert assignment.worth == "3.5"


@pytest.mark.parametrize("word", ["bonus", "bonus=true"])
def test_a_bonus_is_declared_by_a_word_and_counts_on_top(tmp_path: Path, word: str) -> None:
    text = f'# %% exercise="a" points=4 bonus=false\n\n# %% exercise="b" points=1.5 {word}\n'
    assignment = read_assignment(percent(tmp_path, text))
    assert [(one.name, one.points, one.bonus) for one in assignment.exercises] == [
        ("a", 4.0, False),
        ("b", 1.5, True),
    ]
    assert [one.nbgrader_points for one in assignment.exercises] == [4.0, 0.0]
    assert (assignment.max_points, assignment.bonus_points) == (4.0, 1.5)
    assert assignment.worth == "4 + 1.5 bonus"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('# %% exercise="a" points=1 bonus=2\n', "says bonus=2"),
        ('# %% exercise="a" points=1 bonus="yes"\n', "says bonus='yes'"),
        ('# %% exercise="a" bonus\n', "needs points"),
        ('# %% quiz="q1" points=1 bonus\n', "only an exercise in code"),
        ('# %% written="w1" points=1 bonus=true\n', "only an exercise in code"),
        ('# %% exercise="a" points=1 void="yes"\n', "says void='yes'"),
        ('# %% quiz="q1" points=1 void\n', "beside its key"),
        ('# %% written="w1" points=1 void\n', "A person gives its marks"),
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
