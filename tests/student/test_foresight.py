"""Requests sent ahead change no answer, no death and no measurement: they save turns."""

import time

import pytest

from autograder.sandbox.foresight import MOST_BYTES, MOST_DIFFERENT, Foresight
from autograder.student import StudentDied, foreseen
from autograder.student.session import Cell, Session

COUNTING = """
seen = []
def f(x):
    seen.append(x)
    return len(seen)
"""


ENDING = """
import os
seen = []
def f(x):
    seen.append(x)
    if x == 2: os._exit(1)
    return x
"""


@pytest.fixture
def open_foreseeing(connection, open_session):
    """Start sessions that share one foresight."""
    foresight = Foresight()
    opened = []

    def start(source):
        limits = open_session("pass")._limits
        opened.append(Session(connection, [Cell("cell 0", source)], {}, limits, foresight))
        return opened[-1]

    yield start
    for session in opened:
        session.close()


def ask(session, numbers, scene="a test"):
    student = session.student
    with foreseen(student, scene):
        return [student.f(number) for number in numbers]


@pytest.fixture
def asked_before(open_foreseeing):
    """Another submission was asked for f of 1, 2 and 3."""
    assert ask(open_foreseeing(COUNTING), [1, 2, 3]) == [1, 2, 3]


def test_requests_that_another_submission_got_are_sent_ahead(open_foreseeing, asked_before):
    session = open_foreseeing(COUNTING)
    assert ask(session, [1]) == [1]
    assert session.student.value("seen") == [1, 2, 3]


def test_answers_are_the_same_in_the_same_order(open_foreseeing, asked_before):
    session = open_foreseeing(COUNTING)
    assert ask(session, [1, 2, 3]) == [1, 2, 3]
    assert session.student.value("seen") == [1, 2, 3]


@pytest.mark.parametrize("asked", [[1, 7], [7, 1], [1, 2, 7], [1, 3, 2], [1, 2, 3, 4]])
def test_a_submission_that_is_asked_something_else_gets_its_own_answers(
    asked, open_foreseeing, asked_before
):
    session = open_foreseeing("def f(x): return 10 * x")
    assert ask(session, asked) == [10 * number for number in asked]
    assert ask(session, [5], scene="another test") == [50]


def test_the_scene_of_one_test_says_nothing_of_another(open_foreseeing, asked_before):
    session = open_foreseeing(COUNTING)
    assert ask(session, [1], scene="another test") == [1]
    assert session.student.value("seen") == [1]


def test_nothing_is_sent_ahead_outside_of_scenes(open_foreseeing, asked_before):
    session = open_foreseeing(COUNTING)
    assert session.student.f(1) == 1
    assert session.student.value("seen") == [1]


ENDS = {
    "exits": "import os\ndef f(x):\n    if x == 2: os._exit(1)\n    return 10 * x",
    "loops": "def f(x):\n    while x == 2: pass\n    return 10 * x",
}


@pytest.mark.parametrize("source", ENDS.values(), ids=ENDS)
def test_code_that_ends_over_what_it_was_asked_has_ended_over_that(
    source, open_foreseeing, asked_before
):
    session = open_foreseeing(source)
    student = session.student
    with foreseen(student, "a test"):
        assert student.f(1) == 10
        with pytest.raises(StudentDied):
            student.f(2)


@pytest.mark.parametrize("source", ENDS.values(), ids=ENDS)
@pytest.mark.parametrize("then", [[], [7], [3]])
def test_code_that_ends_over_what_nobody_asked_is_asked_anew(
    then, source, open_foreseeing, asked_before
):
    session = open_foreseeing(source)
    assert ask(session, [1, *then]) == [10, *(10 * number for number in then)]
    assert ask(session, [1, 3]) == [10, 30]
    assert not session.deaths


def test_a_submission_dies_of_what_nobody_asked_only_once(open_foreseeing):
    for _ in range(3):
        ask(open_foreseeing(COUNTING), [1, 2, 3])
    session = open_foreseeing(ENDING)
    for _ in range(2):
        ask(session, [1])
    assert session.student.value("seen") == [1]


MODULES = """
import torch
calls = []
class M(torch.nn.Module):
    def forward(self, x):
        calls.append("forward")
        return x
def f(x): return x
"""


def test_requests_for_modules_are_not_sent_ahead(open_foreseeing):
    for asked in (True, False):
        session = open_foreseeing(MODULES)
        student = session.student
        with foreseen(student, "a test"):
            module = student.M()
            if asked:
                assert module(1.5) == 1.5
                assert student.f(2) == 2
        assert session.student.value("calls") == ["forward"] * asked


def test_nobody_is_seeded_ahead(open_foreseeing):
    for asked in (True, False):
        session = open_foreseeing("import torch\ndef f(x): return torch.initial_seed()")
        student = session.student
        with foreseen(student, "a test"):
            student.f(1)
            if asked:
                student.seed(5)
                assert student.f(2) == 5
        assert (session.student.f(3) == 5) == asked


def test_memory_is_measured_before_what_comes_next(open_foreseeing):
    grown = []
    for _ in range(3):
        session = open_foreseeing("def f(x): return len(bytearray(b'1') * (x << 20))")
        student = session.student
        with foreseen(student, "a test"):
            student.f(1)
            time.sleep(0.1)  # for what would come next, were it sent ahead
            before = student.peak_bytes()
            student.f(64)
            grown.append(student.peak_bytes() - before)
    assert all(60 << 20 < size < 80 << 20 for size in grown), grown


def test_files_that_are_placed_are_there(open_foreseeing):
    for _ in range(2):
        session = open_foreseeing("def f(x): return open('data.txt').read() if x == 2 else x")
        student = session.student
        with foreseen(student, "a test"):
            assert student.f(1) == 1
            student.place("data.txt", b"placed")
            assert student.f(2) == "placed"


def request(number, size=10):
    return b"f%d" % number, bytes(size)


def walked(foresight, requests):
    walk = foresight.walk("a test")
    return [walk.after(one) for one in requests]


def test_what_followed_more_often_than_not_is_foreseen():
    foresight = Foresight()
    first, second, other = request(1), request(2), request(3)
    assert walked(foresight, [first, second]) == [[], []]
    assert walked(foresight, [first, other])[0] == [second]
    assert walked(foresight, [first, second])[0] == []  # one of two is no more than half
    assert walked(foresight, [first])[0] == [second]


def test_where_most_stopped_nothing_is_foreseen():
    foresight = Foresight()
    walked(foresight, [request(1), request(2)])
    for _ in range(3):
        walked(foresight, [request(1)])
    assert walked(foresight, [request(1)]) == [[]]


def test_requests_that_always_differ_are_not_kept():
    foresight = Foresight()
    for number in range(10 * MOST_DIFFERENT):
        walked(foresight, [request(number)])
    (start,) = foresight._scenes.values()
    assert len(start.following) == MOST_DIFFERENT


def test_no_more_is_sent_ahead_than_a_socket_takes():
    foresight = Foresight()
    requests = [request(number, MOST_BYTES // 3) for number in range(6)]
    walked(foresight, requests)
    assert walked(foresight, requests)[0] == requests[1:3]
