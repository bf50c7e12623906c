"""No engine, no image, another image, a container that says nonsense: each is told, none hangs."""

import json
import os
import shutil
import subprocess
import sys
import time
import tracemalloc

import pytest
from course_packages import PACKAGES

from autograder.course.settings import IMAGE
from autograder.sandbox import Sandbox, SandboxUnavailable
from autograder.sandbox.containers import backend as containers
from autograder.sandbox.containers.engine import engine_with, last_line
from autograder.sandbox.inside.packets import HELLO, MAGIC, UNAVAILABLE, pack
from autograder.sandbox.inside.versions import fingerprint, installed


def why_not(**choices):
    with pytest.raises(SandboxUnavailable) as refused:
        Sandbox(policy="container", packages=PACKAGES, **choices).start()
    return str(refused.value)


@pytest.fixture
def engine(tmp_path, monkeypatch):
    """Write programs to be found as engines; each takes the place of every other one."""
    monkeypatch.setenv("PATH", str(tmp_path))

    def write(name, script):
        program = tmp_path / name
        program.write_text(f"#!/bin/sh\nPATH=/usr/bin:/bin\n{script}\n")
        program.chmod(0o755)

    return write


def test_no_engine_is_told_with_two_that_serve(engine):
    said = why_not()
    assert "podman and docker are not installed" in said
    assert "https://podman.io" in said
    assert "podman is not installed" in why_not(engine="podman")


def test_an_engine_that_does_not_run_is_told_with_how_to_start_it(engine):
    program = shutil.which("docker", path=os.defpath + ":/usr/local/bin")
    if program is not None and subprocess.run([program, "version"], capture_output=True).returncode:
        engine("docker", f'exec {program} "$@"')  # the real one, without its daemon
        assert "docker is installed but does not work: Cannot connect" in why_not()
        assert "open Docker Desktop" in why_not()
    engine(
        "podman",
        "echo 'Cannot connect to Podman. Please verify your connection to the Linux system using "
        "`podman system connection list`, or try `podman machine init` and `podman machine start` "
        "to manage a new Linux VM' >&2\n"
        "echo 'Error: unable to connect to Podman socket: connection refused' >&2; exit 125",
    )
    said = why_not(engine="podman")
    assert "podman is installed but does not work: Error: unable to connect to Podman" in said
    assert "podman machine start" in said


NO_IMAGE = """
case "$1 $2" in
  "image inspect") echo 'Error response from daemon: No such image: it:latest' >&2; exit 1;;
  "image ls") exit 0;;
  *) echo run >> "$0.log"; exit 125;;
esac
"""


def test_a_missing_image_is_told_with_the_command_that_builds_it(engine, tmp_path):
    engine("docker", NO_IMAGE)
    assert f"docker has no image {IMAGE}; build it, once: `autograder image --engine docker`" in (
        why_not()
    )
    assert "`autograder image --name dept/box --engine docker`" in why_not(image="dept/box")
    engine("podman", NO_IMAGE)
    said = why_not()
    assert "podman has no image" in said
    assert "docker has no image" in said
    assert not (tmp_path / "docker.log").exists(), "nothing is run, and so nothing fetched"


def test_the_engine_that_has_the_image_is_taken(engine):
    engine("podman", NO_IMAGE)
    engine("docker", "exit 0")
    assert engine_with(IMAGE, "auto").name == "docker"


def test_an_engine_that_says_no_is_quoted_by_the_line_that_says_why(engine):
    engine(
        "docker",
        'test "$1" = image && exit 0\n'
        "echo 'docker: Error response from daemon: cgroup: no memory controller.' >&2\n"
        "echo >&2; echo \"Run 'docker run --help' for more information\" >&2; exit 125",
    )
    assert "docker: Error response from daemon: cgroup: no memory controller." in why_not()


def test_an_engine_that_never_answers_is_given_up_on(engine, monkeypatch):
    monkeypatch.setattr("autograder.sandbox.containers.engine.LOOK_SECONDS", 0.5)
    engine("docker", "exec sleep 60")
    start = time.monotonic()
    assert "no answer within 0.5 seconds" in why_not()
    assert time.monotonic() - start < 30


def hello(**changes):
    what = {"fingerprint": fingerprint(), "versions": installed()} | changes
    return MAGIC + pack(HELLO, 0, json.dumps(what).encode())


SAYINGS = {
    "nothing, and ends": (b"", "it has ended without a word"),
    "what a shell would": (b"bash: no job control in this shell\n", "which no gateway says"),
    "its name alone": (MAGIC, "it has ended without a word"),
    "what is no packet": (MAGIC + b"\xff" * 100, "it sent a packet"),
    "a packet without end": (MAGIC + b"h" + b"\0" * 4 + b"\xff" * 4, "it sent a packet"),
    "no JSON": (MAGIC + pack(HELLO, 0, b"{"), "it sent not JSON"),
    "a list": (MAGIC + pack(HELLO, 0, b"[]"), "it sent not a JSON object"),
    "news of nobody": (MAGIC + pack(b"e", 7, b"\0" * 4), "out of turn"),
    "another version": (hello(fingerprint="0" * 64), "is of another version of the autograder"),
    "another torch": (
        hello(versions=installed() | {"torch": "1.0"}),
        "has torch 1.0, and here is",
    ),
    "another Python": (hello(versions={"python": "2.7"}), "has python 2.7, and here is 3."),
    "no versions": (hello(versions=None), "has python none"),
}


@pytest.mark.parametrize("saying", SAYINGS)
def test_what_an_image_may_say_instead_is_told(engine, tmp_path, saying):
    content, expected = SAYINGS[saying]
    (tmp_path / "said").write_bytes(content)
    engine("docker", f'test "$1" = run && cat {tmp_path}/said; exit 0')
    said = why_not()
    assert expected in said
    if "version" in saying:
        assert "Build it again: `autograder image`" in said


def test_a_container_in_which_nothing_holds_a_process_is_refused_with_the_reason(engine, tmp_path):
    (tmp_path / "first").write_bytes(hello())
    (tmp_path / "then").write_bytes(pack(UNAVAILABLE, 0, b"no seccomp"))
    script = f"cat {tmp_path}/first; head -c 1 > /dev/null; cat {tmp_path}/then"
    engine("docker", f'test "$1" = run && {{ {script}; }}; exit 0')
    assert "in the container, no seccomp" in why_not()


def test_a_container_that_says_nothing_is_removed_by_name(engine, tmp_path, monkeypatch):
    monkeypatch.setattr(containers, "GREETING_SECONDS", 0.5)
    monkeypatch.setattr(containers, "END_SECONDS", 0.5)
    engine("docker", f'echo "$@" >> {tmp_path}/log; test "$1" = run && exec sleep 60; exit 0')
    start = time.monotonic()
    assert "did not answer in time" in why_not()
    assert time.monotonic() - start < 20
    run, removed = [
        line.split()
        for line in (tmp_path / "log").read_text().splitlines()
        if "image" not in line[:5]
    ]
    name = run[run.index("--name") + 1]
    assert removed == ["rm", "--force", name]
    assert name.startswith("autograder-")


def test_a_flood_from_a_container_takes_no_memory(engine, tmp_path):
    engine("docker", 'test "$1" = run && exec cat /dev/zero; exit 0')
    tracemalloc.start()
    assert "which no gateway says" in why_not()
    (tmp_path / "said").write_bytes(hello())
    engine("docker", f'test "$1" = run && {{ cat {tmp_path}/said; exec cat /dev/zero; }}; exit 0')
    assert "it sent a packet" in why_not()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 16 << 20


def test_complaints_without_end_do_not_hang_it(engine, monkeypatch):
    engine("docker", 'test "$1" = run && { yes why >&2; }; exit 0')
    monkeypatch.setattr(containers, "GREETING_SECONDS", 0.5)
    monkeypatch.setattr(containers, "END_SECONDS", 0.5)
    assert "did not answer in time" in why_not()


def test_an_engines_last_line_is_the_one_that_counts():
    assert last_line("a\nError: b\n\nRun 'docker run --help' for more information\n") == "Error: b"
    assert last_line("b\nSee 'docker run --help'.") == "b"
    assert last_line("") == ""


@pytest.mark.parametrize(
    ("platform", "advice"),
    [("darwin", "build their image once with `autograder image`"), ("win32", "WSL2")],
)
def test_elsewhere_it_says_what_to_do(engine, monkeypatch, platform, advice):
    monkeypatch.setattr(sys, "platform", platform)
    with pytest.raises(SandboxUnavailable, match=advice) as refused:
        Sandbox().start()
    assert "podman and docker are not installed" in str(refused.value)
