"""What a course says of itself stands on the start page and in the word to assistants."""

from line_fitting import COURSE

from autograder.build.companions import word_to_assistants
from autograder.course import load_course
from autograder.course.words import CourseWords


def test_the_courses_own_words_are_put_in() -> None:
    text = word_to_assistants(load_course(COURSE).words, "01-first-steps", ["row_sums"])
    assert "here to learn how a line is fitted\nby writing it" in text
    assert "**Theirs to write:** `row_sums`." in text
    assert "{" not in text


def test_a_course_without_words_of_its_own_has_plain_ones() -> None:
    text = word_to_assistants(CourseWords(), "01-first-steps", ["row_sums"])
    assert "here to learn the subject\nby writing it" in text
    assert "attention" not in text
    assert "{" not in text
