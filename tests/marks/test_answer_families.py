"""Families of answers of a class that was graded by the real command."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from line_fitting import NAME, all_right, cell_of, hand_in, released
from nbformat.v4 import new_code_cell

from autograder.course import load_course
from autograder.marks.families import AnswerFamily, families_of

# By student, the answers to `predict` and `gradient`; None leaves what was released.
RIGHT = "def predict(x, slope, intercept):\n    return intercept + slope * x"
RENAMED = '''def predict(xs, m, b):
    """Mine."""
    print(xs)
    return (b
            + m*xs)  # the line
'''
WRONG = "def predict(x, slope, intercept):\n    return intercept - slope * x"
CLASS = {
    "amal": RIGHT,
    "bo": RENAMED,
    "çelik": WRONG,
    "007": "def predict(x, slope, intercept:\n    return 1",
    "dana": "def predict(x,",
    "eve": None,
    "fay": "# nothing yet\n",
    "hal": None,
}
ELSEWHERE = "hal"  # whose answer stands in a new cell at the end


@pytest.fixture(scope="module")
def graded(
    tmp_path_factory: pytest.TempPathFactory,
    make_line_fitting: Callable[[Path], Path],
    run: Callable,
) -> Path:
    """The course after `autograder grade`."""
    course = make_line_fitting(tmp_path_factory.mktemp("families") / "course")
    assert run("autograder", "release", NAME, cwd=course).returncode == 0
    for student, answer in CLASS.items():
        notebook = all_right(course, student)
        cell = cell_of(notebook, "predict")
        stub = cell_of(released(course), "predict").source
        cell.source = stub if answer is None else answer
        if student == ELSEWHERE:
            notebook.cells.append(new_code_cell(RENAMED))
        hand_in(course, student, notebook)
    done = run("autograder", "grade", cwd=course)
    assert done.returncode == 0, done.stderr
    return course


@pytest.fixture(scope="module")
def families(graded: Path) -> list[AnswerFamily]:
    return families_of(load_course(graded), NAME)


def of(families: list[AnswerFamily], student: str, exercise: str = "predict") -> AnswerFamily:
    (one,) = [one for one in families if one.exercise == exercise and student in one.students]
    return one


def test_every_answer_is_in_one_family(families: list[AnswerFamily]) -> None:
    for exercise in ("predict", "gradient", "fit"):
        students = [s for one in families if one.exercise == exercise for s in one.students]
        assert sorted(students) == sorted(CLASS)


def test_answers_that_differ_in_names_and_layout_are_one_family(
    families: list[AnswerFamily],
) -> None:
    family = of(families, "amal")
    assert family.students == ("amal", "bo", "hal")
    assert (family.outcome, set(family.points.values())) == ("right", {2.0})
    assert family.source == RIGHT
    assert re.fullmatch("[a-z2-7]{8}", family.id)


def test_an_answer_in_another_cell_is_in_its_family(families: list[AnswerFamily]) -> None:
    assert of(families, ELSEWHERE) is of(families, "amal")
    assert ELSEWHERE not in of(families, "eve").students


def test_an_answer_of_one_student_is_rare(families: list[AnswerFamily]) -> None:
    family = of(families, "çelik")
    assert (family.outcome, family.form, family.rare) == ("partly", "code", True)


def test_the_reference_is_known_and_not_rare(families: list[AnswerFamily]) -> None:
    family = of(families, "amal", "gradient")
    assert (family.known, family.rare, family.students) == (
        "reference",
        False,
        tuple(sorted(CLASS)),
    )


def test_what_is_no_code_of_the_students_is_named(families: list[AnswerFamily]) -> None:
    assert of(families, "007") is of(families, "dana")
    assert of(families, "007").form == "no Python"
    assert of(families, "eve").form == "as released"
    assert of(families, "fay").form == "empty"
    assert not any(one.rare for one in families if one.form != "code")


def test_ids_and_families_are_the_same_when_nothing_is_kept(
    graded: Path, families: list[AnswerFamily]
) -> None:
    for path in (graded / ".autograder" / "answers").iterdir():
        path.write_text("{", encoding="utf-8")
    assert families_of(load_course(graded), NAME) == families


def test_what_is_handed_in_again_moves_to_another_family(
    graded: Path, families: list[AnswerFamily]
) -> None:
    notebook = all_right(graded, "gus")
    cell_of(notebook, "predict").source = RENAMED
    folder = hand_in(graded, "gus", notebook)
    now = families_of(load_course(graded), NAME)
    assert of(now, "gus").students == ("amal", "bo", "gus", "hal")
    assert of(now, "gus").points == {"amal": 2.0, "bo": 2.0, "hal": 2.0}
    assert of(now, "gus").id == of(families, "amal").id
    (folder / f"{NAME}.ipynb").write_text("{", encoding="utf-8")
    assert families_of(load_course(graded), NAME) == families
