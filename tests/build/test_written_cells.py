"""A written question in the build: its two cells, its mistakes, and its rubric kept in."""

from pathlib import Path

import pytest
from line_fitting import NAME, WHOLE, edit

from autograder.build.leaks import find_secrets
from autograder.build.release import build_release
from autograder.build.source_notebook import source_notebook
from autograder.course import Course, CourseError, load_course

WRITTEN_PLACE = "solutions/line_fitting/written.toml"
RUBRIC = "With a rate that is too large the step jumps over the bottom and lands on the other side"


@pytest.fixture
def course(root: Path) -> Course:
    return load_course(root)


def test_a_question_becomes_its_text_and_an_answer_that_a_person_grades(course):
    text, answer = source_notebook(course, course.assignment(NAME)).cells[-4:-2]
    assert text.source.startswith(
        "**w1.** *(in your own words; 3 points, given by a person)* A friend fits a line by"
    )
    assert (answer.id, answer.cell_type) == ("w1", "markdown")
    marks = answer.metadata.nbgrader
    assert (marks.grade, marks.solution, marks.locked, marks.points) == (True, True, False, 3)
    assert "### BEGIN MARK SCHEME\n**1 point: the step is too long.**" in answer.source


def test_the_release_asks_and_tells_no_rubric_and_the_points_count(course):
    built = build_release(course, NAME)
    assert built.assignment.max_points == WHOLE
    text = (course.root / "release" / NAME / f"{NAME}.ipynb").read_text(encoding="utf-8")
    assert "*Write your answer here.*" in text
    assert RUBRIC not in text
    source = (course.root / "assignments" / NAME / f"{NAME}.ipynb").read_text(encoding="utf-8")
    assert RUBRIC in source


@pytest.mark.parametrize(
    ("told", "leaks"),
    [
        (RUBRIC.replace(" step ", "\nstep "), True),
        (f"This says it: {RUBRIC.replace(', ', ',')}", True),
        ("jumps over the bottom", False),
    ],
)
def test_a_rubrics_sentence_in_a_release_is_found_in_any_layout(course, told, leaks):
    folder = course.root / "release" / NAME
    folder.mkdir(parents=True)
    (folder / "notes.md").write_text(f"Note: {told}. So it is.", encoding="utf-8")
    found = [str(leak) for leak in find_secrets(folder, course)]
    assert found == ([f"notes.md holds the rubric of w1, from {WRITTEN_PLACE}"] if leaks else [])


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('name = "w1"', 'name = "w2"', "has no question 'w1', which the notebook asks for"),
        ("rubric", "notes", "question 'w1' needs a name, a text and a rubric"),
        ("[[question]]", "[[question", "toml"),
    ],
)
def test_a_mistake_in_the_file_is_said_with_its_place(course, old, new, said):
    edit(course.root / WRITTEN_PLACE, old, new)
    with pytest.raises(CourseError, match=said):
        source_notebook(course, course.assignment(NAME))


def test_a_missing_file_is_named(course):
    (course.root / WRITTEN_PLACE).unlink()
    with pytest.raises(CourseError, match=f"{WRITTEN_PLACE} is missing"):
        source_notebook(course, course.assignment(NAME))
