"""A right answer of several styles, and why it is right."""

import ast
import tomllib

import pytest

from autograder.course import load_course
from autograder.course.layout import quiz_file, why_file
from autograder.course.questions import Choice
from autograder.course.quiz import read_quiz
from autograder.feedback.right_answer import right_choice, right_code

NAME = "03-causal-masking"


@pytest.fixture(scope="module")
def course(course_root):
    return load_course(course_root)


def test_every_exercise_of_the_course_has_one_with_its_reason(course):
    for assignment in course.assignments.values():
        coded = [one.name for one in assignment.exercises if one.kind == "code"]
        whys = tomllib.loads(why_file(course.root, assignment.name).read_text(encoding="utf-8"))
        assert sorted(whys) == sorted(coded)
        for name in coded:
            shown = right_code(course.root, assignment.name, name, "")
            defined = [getattr(node, "name", "") for node in ast.parse(shown.code).body]
            assert defined[-1] == name
            assert "SOLUTION" not in shown.code
            assert shown.why == " ".join(whys[name].split())
            assert shown.styles > 1


def test_it_is_in_the_style_nearest_to_the_students(course):
    compared = """
def causal_mask(seq_len, device=None):
    where = torch.arange(seq_len, device=device)
    return where[None, :] < where[:, None]
"""
    shown = right_code(course.root, NAME, "causal_mask", compared)
    assert "torch.arange" in shown.code
    assert "<=" in shown.code
    assert ".tril()" in right_code(course.root, NAME, "causal_mask", "").code


def test_a_students_text_of_any_size_takes_little_to_compare(course):
    huge = "x = [1, 2]\n" * 200_000
    assert right_code(course.root, NAME, "causal_mask", huge).code


def test_questions_have_their_keys_with_the_owners_numbers(course):
    for name in course.assignments:
        for question in read_quiz(quiz_file(course.root, name)).values():
            shown = right_choice(question, "ada")
            assert shown.why
            if isinstance(question.answer, Choice):
                assert shown.answer.startswith(f"**{question.answer.key}.**")
            if question.is_personal:
                others = {right_choice(question, f"student {i}").answer for i in range(20)}
                assert len(others) > 1
