"""Personal questions on the feedback page have the numbers of who handed in."""

import re
from pathlib import Path

from line_fitting import COURSE, NAME

from autograder.course import Assignment, Exercise
from autograder.course.layout import quiz_file
from autograder.course.quiz import read_quiz
from autograder.feedback.asked import Asked

ASSIGNMENT = Assignment(NAME, (Exercise("k2", 2, "quiz"), Exercise("q1", 1, "quiz")))


def test_every_student_reads_the_numbers_of_their_own_id() -> None:
    question = read_quiz(quiz_file(COURSE, NAME))["k2"]
    texts = set()
    for student in ("ada", "ben", "chloe", "dora", "eve"):
        asked = Asked(ASSIGNMENT, COURSE).of(student)
        assert list(asked) == ["k1", "k2", "k3"]  # the others are whole in the notebook
        sizes = question.sizes_of(student)
        found = re.search(r"are off by (\d+), -(\d+) and (\d+)\.", asked["k2"])
        assert found is not None
        assert list(map(int, found.groups())) == [sizes[n] for n in ("first", "second", "third")]
        texts.add(asked["k2"])
    assert len(texts) > 1


def test_an_assignment_without_questions_needs_no_quiz(tmp_path: Path) -> None:
    assignment = Assignment("01-sample", (Exercise("f", 2, "code"),))
    assert Asked(assignment, tmp_path).of("ada") == {}
