"""One sandbox a mode for all tests, with small limits; a fresh process for every test."""

from dataclasses import replace

import pytest

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
ISOLATION = {"required": "bwrap+landlock+seccomp", "fallback": "landlock+seccomp"}


@pytest.fixture(scope="session", params=list(ISOLATION))
def sandbox(request):
    with Sandbox(policy=request.param, limits=LIMITS, connections=2) as started:
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
