"""A name is told of a NameError only where the very line that stopped uses it."""

import pytest

from autograder.judging.attempts import Stopped
from autograder.judging.undefined import MOST_NAMES, undefined_name
from autograder.student import StudentError

CELL = """
def scores(q, k):
    width = math.sqrt(d_k)
    return q @ k.mT / width
"""


def stopped(message, line, cell=CELL, kind="NameError"):
    return undefined_name(StudentError(kind, message, line), cell)


@pytest.mark.parametrize("hint", ["", ". Did you mean: 'k'?", ". Did you forget to import 'd_k'?"])
def test_the_name_that_is_not_defined_is_told(hint):
    assert stopped(f"name 'd_k' is not defined{hint}", 3) == "d_k"


@pytest.mark.parametrize(
    ("message", "line"),
    [
        ("name 'd_k' is not defined", 4),
        ("name 'x12345' is not defined", 3),
        ("name 'd_k 0.25' is not defined", 3),
        ("the values are 0.25", 3),
        ("name 'd_k' is not defined", None),
    ],
)
def test_what_the_line_does_not_use_is_not_told(message, line):
    assert stopped(message, line) is None


def test_only_a_name_error_tells_one():
    assert stopped("name 'd_k' is not defined", 3, kind="KeyError") is None


@pytest.mark.parametrize("cell", ["", "def scores(q, k", "%%time\nscores = 1", "\0"])
def test_a_cell_that_cannot_be_read_tells_none(cell):
    assert stopped("name 'd_k' is not defined", 1, cell) is None


def test_a_line_of_many_names_could_say_a_number_and_tells_none():
    names = [f"x{number}" for number in range(MOST_NAMES + 1)]
    assert stopped("name 'x3' is not defined", 1, f"print({', '.join(names)})") is None


def test_what_a_call_was_given_is_not_told_of_a_name():
    known, unknown = ("name 'd_k' is not defined", "name 'other' is not defined")
    given = "where `q` has three axes"
    symptoms = [
        Stopped(StudentError("NameError", one, 3), given, CELL).symptom for one in (known, unknown)
    ]
    assert symptoms == [
        "your code raised NameError: the name `d_k` is not defined",
        "your code raised NameError",
    ]


def test_what_a_call_was_given_is_told_of_other_errors():
    one = Stopped(StudentError("TypeError", "odd", 3), "where `q` has three axes", CELL)
    assert one.symptom == "your code raised TypeError where `q` has three axes"
