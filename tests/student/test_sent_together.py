"""Cells and variables go to the process together, and each has its own answer, death and time."""

import textwrap

import pytest

from autograder.sandbox.dialogue import MOST_AHEAD
from autograder.student import MissingName, StudentDied

WAITING = """
import sys
waiting = [
    bytes(module._ahead).decode()
    for module in list(sys.modules.values())
    if type(getattr(module, "_ahead", None)) is bytearray
]
"""


def test_the_next_cells_wait_where_the_first_one_runs(open_session):
    session = open_session(WAITING, "second = 2", "third = 3")
    (waiting,) = session.student.value("waiting")
    assert "second = 2" in waiting
    assert "third = 3" in waiting


def test_requests_wait_for_nothing_else(open_session):
    session = open_session(f"def f():\n{textwrap.indent(WAITING, '    ')}\n    return waiting")
    session.student.expect_values(["a", "b"])
    with pytest.raises(MissingName):
        session.student.value("a")
    with pytest.raises(MissingName):
        session.student.value("b")
    assert session.student.f() == [""]


SIZES = [
    [10] * 100,
    [10, MOST_AHEAD, 10, 10],
    [MOST_AHEAD] * 3,
    [MOST_AHEAD // 2] * 5,
    [0, 1 << 20],
]


@pytest.mark.parametrize("sizes", SIZES)
def test_cells_of_any_size_run_in_their_order(sizes, open_session):
    append = "ran = [*globals().get('ran', []), {}]  # {}"
    cells = [append.format(number, "x" * size) for number, size in enumerate(sizes)]
    session = open_session(*cells)
    assert session.student.value("ran") == list(range(len(sizes)))


def test_the_cell_that_ended_the_process_is_told(open_session):
    session = open_session("a = 1", "import os; os._exit(1)", "b = 2", "while True: pass", "c = 3")
    assert set(session.deaths) == {"cell 1", "cell 3"}
    assert session.deaths["cell 3"].reason == "timeout"
    assert [session.student.value(name) for name in "abc"] == [1, 2, 3]


def test_variables_are_answered_in_their_order(open_session):
    session = open_session("a = 1", "b = object()", "c = [3.5]")
    session.student.expect_values(["a", "b", "nowhere", "c"])
    assert session.student.value("a") == 1
    with pytest.raises(Exception, match="object"):
        session.student.value("b")
    with pytest.raises(MissingName):
        session.student.value("nowhere")
    assert session.student.value("c") == [3.5]


def test_something_else_than_was_told_is_a_fault_of_ours(open_session):
    session = open_session("a = 1", "b = 2")
    session.student.expect_values(["a", "b"])
    with pytest.raises(RuntimeError, match="not been asked yet"):
        session.student.expect_values(["b"])
    with pytest.raises(RuntimeError, match="not what was to be asked next"):
        session.student.value("b")


def test_a_variable_whose_cell_ended_the_process_is_not_looked_up(open_session):
    session = open_session("a = 1", ("q", "import os; os._exit(1)"), "c = 3")
    session.student.expect_values(["a", "q", "c"])
    assert session.student.value("a") == 1
    with pytest.raises(StudentDied):
        session.student.value("q")
    assert session.student.value("c") == 3


def test_a_cell_that_speaks_on_the_line_is_refused_and_the_others_run(open_session):
    session = open_session("a = 1", "import os; os.write(3, b'x' * 40)", "b = 2")
    assert {name: death.reason for name, death in session.deaths.items()} == {"cell 1": "protocol"}
    assert [session.student.value(name) for name in "ab"] == [1, 2]
