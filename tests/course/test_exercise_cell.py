"""Which functions of a solutions module stand in one exercise's cell."""

import ast

from autograder.course.exercise_cell import definitions_of, first_line

MODULE = ast.parse(
    """import math

def attend_twice(): ...
def scale(): ...
@jit
def attend_kernel(): ...
@jit
def attend_other(): ...
def attend(): ...
def attend_later(): ...
"""
)


def names(exercise: str) -> list[str]:
    return [one.name for one in definitions_of(MODULE, exercise)]


def test_functions_directly_above_that_bear_its_name_belong_to_it() -> None:
    assert names("attend") == ["attend_kernel", "attend_other", "attend"]
    assert names("scale") == ["scale"]
    assert names("missing") == []


def test_a_definition_begins_with_its_first_decorator() -> None:
    first, *_ = definitions_of(MODULE, "attend")
    assert (first_line(first), first.lineno) == (5, 6)
