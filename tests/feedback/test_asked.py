"""Personal questions on the feedback page have the numbers of who handed in."""

import re
from pathlib import Path

import pytest
from quiz_sources import QUIZ

from autograder.course import Assignment, Exercise
from autograder.course.layout import quiz_file
from autograder.course.quiz import read_quiz
from autograder.feedback.asked import Asked

ASSIGNMENT = Assignment("01-sample", (Exercise("k2", 2, "quiz"), Exercise("q1", 1, "quiz")))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A course's folder with a quiz."""
    (tmp_path / "solutions" / "sample").mkdir(parents=True)
    quiz_file(tmp_path, ASSIGNMENT.name).write_text(QUIZ, encoding="utf-8")
    return tmp_path


def test_every_student_reads_the_numbers_of_their_own_id(root: Path) -> None:
    question = read_quiz(quiz_file(root, ASSIGNMENT.name))["k2"]
    texts = set()
    for student in ("ada", "ben", "chloe", "dora", "eve"):
        asked = Asked(ASSIGNMENT, root).of(student)
        assert list(asked) == ["k2"]  # the others are whole in the notebook
        sizes = question.sizes_of(student)
        found = re.fullmatch(r"With (\d) heads and (\d) queries, which shape\?", asked["k2"])
        assert found is not None
        assert (int(found[1]), int(found[2])) == (sizes["heads"], sizes["queries"])
        texts.add(asked["k2"])
    assert len(texts) > 1


def test_an_assignment_without_questions_needs_no_quiz(tmp_path: Path) -> None:
    assignment = Assignment("01-sample", (Exercise("f", 2, "code"),))
    assert Asked(assignment, tmp_path).of("ada") == {}
