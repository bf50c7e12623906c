"""A worker that dies is replaced alone: what it was on is graded again, and nobody else notices."""

import contextlib
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path

import psutil
import pytest
from podman_images import processes_in

from autograder.course import Course, load_course
from autograder.proof import known_answers
from autograder.verdicts import ExerciseVerdict, Submission
from autograder.verdicts.messages import describe_setup
from autograder.verdicts.pool import TRIES, GraderCrashed, Pool

pytestmark = pytest.mark.slow

NAME = "01-line-fitting"
WAITS = (None, "import time\ntime.sleep(5)")


@pytest.fixture(scope="module")
def course(
    make_line_fitting: Callable[[Path], Path], tmp_path_factory: pytest.TempPathFactory
) -> Course:
    folder = make_line_fitting(tmp_path_factory.mktemp("replaced") / "course")
    with (folder / "course_config.py").open("a") as config:
        config.write("c.SubmissionLimits.cell_seconds = 30\n")
    return load_course(folder)


@pytest.fixture(scope="module")
def right(course: Course) -> Submission:
    reference = next(known_answers(course, course.assignment(NAME)))
    return Submission("ada", NAME, reference.cells)


@pytest.fixture
def start(course: Course) -> Iterator[Callable[[str, int], Pool]]:
    """Start a pool."""
    with contextlib.ExitStack() as stack:

        def start(policy: str, workers: int) -> Pool:
            setup = partial(describe_setup, course, [course.assignment(NAME)], "cpu", policy)
            return stack.enter_context(contextlib.closing(Pool(setup, workers)))

        yield start


def server_of(pool: Pool) -> psutil.Process:
    assert pool._process is not None
    return psutil.Process(pool._process.pid)


def is_alive(process: psutil.Process) -> bool:
    return process.is_running() and process.status() != psutil.STATUS_ZOMBIE


def workers_of(server: psutil.Process) -> set[psutil.Process]:
    found = set()
    for one in server.children():
        with contextlib.suppress(psutil.Error):  # it has just ended
            if one.cmdline() == server.cmdline():
                found.add(one)
    return found


def others_of(server: psutil.Process) -> set[psutil.Process]:
    """What students' processes come from, those processes, and their like."""
    ours = set(server.children(recursive=True)) - workers_of(server)
    return ours.union(*map(processes_in, ours))


def wait_until(so: Callable[[], object]) -> None:
    end = time.monotonic() + 60
    while not so():
        assert time.monotonic() < end
        time.sleep(0.02)


def grade(pool: Pool, one: Submission) -> ExerciseVerdict:
    return pool.grade(one, ["predict"])[0][0]


def is_right(verdict: ExerciseVerdict) -> bool:
    return verdict.reason is None and verdict.score == verdict.decided_points > 0


@pytest.mark.parametrize("policy", ["required", "container"])  # the others: `fallback`
def test_another_takes_its_place_and_grades_what_it_was_on(
    policy: str,
    start: Callable[[str, int], Pool],
    right: Submission,
    course: Course,
    request: pytest.FixtureRequest,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if policy == "container":
        image = request.getfixturevalue("podman")(monkeypatch)
        monkeypatch.setattr(course.sandbox, "image", image)
    pool = start(policy, 2)
    server = server_of(pool)
    first, idle = workers_of(server), others_of(server)
    slow = replace(right, cells=(WAITS, *right.cells))
    with ThreadPoolExecutor(2) as threads:
        graded = [threads.submit(grade, pool, slow) for _ in range(2)]
        wait_until(lambda: len(others_of(server) - idle) == 2)
        students = others_of(server) - idle
        next(iter(first)).kill()
        verdicts = [one.result() for one in graded]
    wait_until(lambda: not any(map(is_alive, students)))
    assert all(map(is_right, verdicts))
    assert server_of(pool) == server
    assert len(first & workers_of(server)) == 1
    assert is_right(grade(pool, right))


def test_how_a_students_process_ends_is_not_mixed_up_with_how_the_one_before_did(
    start: Callable[[str, int], Pool], right: Submission
) -> None:
    pool = start("fallback", 1)
    server = server_of(pool)
    idle = others_of(server)
    ends = ("predict", "def predict(*_, **__):\n    __import__('ctypes').string_at(0)")
    with ThreadPoolExecutor(1) as thread:
        graded = thread.submit(grade, pool, replace(right, cells=(WAITS, ends)))
        wait_until(lambda: others_of(server) - idle)
        (worker,) = workers_of(server)
        worker.kill()
        verdict = graded.result()
    assert (verdict.reason, verdict.detail) == ("crashed", "signal 11 (SIGSEGV)")


def test_workers_that_die_with_nothing_to_do_cost_nothing(
    start: Callable[[str, int], Pool], right: Submission
) -> None:
    pool = start("fallback", 1)
    server = server_of(pool)
    for _ in range(TRIES + 1):
        (worker,) = workers_of(server)
        time.sleep(0.5)  # it says that it waits
        worker.kill()
        wait_until(lambda gone=worker: workers_of(server) - {gone})
    assert is_right(grade(pool, right))
    assert server_of(pool) == server


def test_a_submission_over_whose_cells_they_die_too_often_is_told_and_no_other_suffers(
    start: Callable[[str, int], Pool], right: Submission
) -> None:
    pool = start("fallback", 1)
    server = server_of(pool)
    idle = others_of(server)
    with ThreadPoolExecutor(1) as thread:
        slow = replace(right, cells=(WAITS, *right.cells))
        graded = thread.submit(grade, pool, slow)
        for _ in range(TRIES):
            wait_until(lambda: others_of(server) - idle)
            students = others_of(server) - idle
            (worker,) = workers_of(server)
            worker.kill()
            wait_until(lambda gone=students: not any(map(is_alive, gone)))
        with pytest.raises(
            GraderCrashed, match=r"running the cells .*signal 9.* 3 times on .* ada"
        ):
            graded.result()
    assert is_right(grade(pool, right))
    assert server_of(pool) == server
