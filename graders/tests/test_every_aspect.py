"""Every hidden test says what it asks for, and no exercise asks for one thing alone."""

import ast
from collections import defaultdict

import pytest
from grading import FILES, ROOT

from autograder.course import load_course


def marker(test, name):
    calls = [one for one in test.decorator_list if isinstance(one, ast.Call)]
    (found,) = [one for one in calls if ast.unparse(one.func).endswith(name)]
    return found


ASPECTS = load_course(ROOT).feedback.aspects
TESTS = [
    (f"{file.parent.name}: {ast.unparse(marker(node, 'exercise').args[0])}", node)
    for file in FILES
    for node in ast.parse(file.read_text(encoding="utf-8")).body
    if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")
]


@pytest.mark.parametrize("test", [node for _, node in TESTS], ids=[node.name for _, node in TESTS])
def test_it_names_a_known_aspect(test):
    _, aspect = marker(test, "points").args
    assert aspect.value in ASPECTS


def test_points_of_an_exercise_are_split():
    asked = defaultdict(set)
    for exercise, test in TESTS:
        asked[exercise].add(marker(test, "points").args[1].value)
    assert len(asked) > 35
    assert {name: found for name, found in asked.items() if len(found) < 2} == {}
