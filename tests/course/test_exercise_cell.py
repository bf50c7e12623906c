"""Which functions of a solutions module stand in one exercise's cell."""

import ast
from pathlib import Path

from autograder.course.exercise_cell import definitions_of, first_line, solution_path

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


def test_a_solution_stands_in_a_module_of_its_own_name_or_of_its_assignments(
    tmp_path: Path,
) -> None:
    assert solution_path(tmp_path, "fused", "attend") == tmp_path / "fused.py"
    (tmp_path / "attend.py").touch()
    assert solution_path(tmp_path, "fused", "attend") == tmp_path / "attend.py"
