"""One sandbox a mode for all tests, with small limits; a fresh process for every test."""

import contextlib
from dataclasses import replace

import pytest
from course_packages import PACKAGES

from autograder.course.limits import Limits
from autograder.sandbox import Sandbox

LIMITS = Limits(
    call_seconds=2.0,
    cell_seconds=3.0,
    submission_seconds=30.0,
    memory_bytes=512 << 20,
    output_bytes=4096,
    scratch_bytes=8 << 20,
    reply_bytes=32 << 20,
    threads=16,
    open_files=64,
)
ISOLATION = {
    "required": "bwrap+landlock+seccomp",
    "fallback": "landlock+seccomp",
    "container": "container+landlock+seccomp",
    "container without Landlock": "container+seccomp",
}
EVERYWHERE = list(ISOLATION)[:3]  # the last is for the tests of what can be reached


@pytest.fixture(scope="session", params=EVERYWHERE)
def sandbox(request, engine_stand_in):
    policy, _, without = request.param.partition(" without ")
    with pytest.MonkeyPatch.context() as patch:
        if policy == "container":
            engine_stand_in(patch, **({"STAND_IN_WITHOUT_LANDLOCK": "1"} if without else {}))
        started = Sandbox(policy, LIMITS, PACKAGES, connections=2)
        started.start()
    with contextlib.closing(started):
        if started.isolation != ISOLATION[request.param]:
            pytest.skip(f"not on this machine: {' '.join(started.notes)}")
        yield started


@pytest.fixture(scope="session")
def connection(sandbox):
    return sandbox.connect(0)


@pytest.fixture
def limits():
    return LIMITS


@pytest.fixture
def worker(connection):
    started = connection.start_worker({"data.csv": b"1,2\n"})
    yield started
    started.close()


@pytest.fixture
def tried(worker):
    """Run an expression in the student's process: what it gave, or the exception it raised."""

    def run(expression, setup=""):
        outcome = worker.run_cell(f"import os, sys\n{setup}\nanswer = repr({expression})")
        return worker.value("answer") if outcome.error is None else outcome.error.type_name

    return run


@pytest.fixture
def quick(connection, limits):
    """A fresh process with other limits than usual."""
    started = []

    def start(**changes):
        started.append(connection.start_worker({}, replace(limits, **changes)))
        return started[-1]

    yield start
    for one in started:
        one.close()
