"""One sandbox a mode for all tests, with small limits; a fresh process for every test."""

import contextlib
import json
import os
from dataclasses import replace
from pathlib import Path

import pytest
from course_packages import PACKAGES
from podman_images import IMAGE_PACKAGES

from autograder.course.limits import Limits
from autograder.course.settings import IMAGE
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
DEFAULT_FILTER = Path("/usr/share/containers/seccomp.json")
ISOLATION = {
    "required": "bwrap+landlock+seccomp",
    "fallback": "landlock+seccomp",
    "container": "container+landlock+seccomp",
    "container without Landlock": "container+seccomp",
}
# Containers without Landlock are for the tests of what can be reached.
EVERYWHERE = ["required", "fallback", pytest.param("container", marks=pytest.mark.slow)]


def take_landlock_away(patch, folder):
    """Have Podman's own filter of system calls refuse Landlock, as it refuses unknown calls."""
    if not DEFAULT_FILTER.exists():
        pytest.skip(f"Podman's filter is not in {DEFAULT_FILTER}")
    rules = json.loads(DEFAULT_FILTER.read_text())
    for rule in rules["syscalls"]:
        rule["names"] = [name for name in rule["names"] if not name.startswith("landlock_")]
    (folder / "filter.json").write_text(json.dumps(rules))
    settings = Path(os.environ.get("CONTAINERS_CONF", os.devnull)).read_text()
    conf = folder / "containers.conf"
    conf.write_text(f'{settings}\n[containers]\nseccomp_profile = "{folder}/filter.json"\n')
    patch.setenv("CONTAINERS_CONF", str(conf))


@pytest.fixture(scope="session", params=EVERYWHERE)
def sandbox(request, tmp_path_factory):
    policy, _, without = request.param.partition(" without ")
    with contextlib.ExitStack() as stack:
        patch = stack.enter_context(pytest.MonkeyPatch.context())
        image, packages = IMAGE, PACKAGES
        if policy == "container":
            image, packages = request.getfixturevalue("podman")(patch), IMAGE_PACKAGES
            if without:
                take_landlock_away(patch, tmp_path_factory.mktemp("filter"))
        started = Sandbox(policy, LIMITS, packages, connections=2, image=image)
        started.start()
        stack.enter_context(contextlib.closing(started))
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
