"""Containers start, lose a part, are left by a grader that is killed, and end; nothing is left."""

import contextlib
import os
import signal
import subprocess
import sys
import time

import psutil
import pytest
from podman_images import IMAGE_PACKAGES, processes_in

from autograder.checks.kit.errors import StudentDied
from autograder.course.limits import Limits
from autograder.sandbox import Sandbox, SandboxLost
from autograder.sandbox.containers.backend import Container
from autograder.sandbox.inside.packets import WINDOW

pytestmark = pytest.mark.slow

LIMITS = Limits(cell_seconds=3.0, call_seconds=3.0, memory_bytes=512 << 20, threads=16)


@pytest.fixture(scope="module")
def shared(podman):
    """A sandbox in a container, for what does not break it."""
    with pytest.MonkeyPatch.context() as patch:
        started = Sandbox("container", LIMITS, IMAGE_PACKAGES, image=podman(patch))
        started.start()
        with contextlib.closing(started):
            yield started


@pytest.fixture
def own(podman, monkeypatch):
    """A sandbox in a container of its own, to break."""
    with Sandbox("container", LIMITS, IMAGE_PACKAGES, image=podman(monkeypatch)) as started:
        yield started


@pytest.fixture
def removed(monkeypatch):
    """The containers that had to be ended by force."""
    found, remove = [], Container.remove
    monkeypatch.setattr(Container, "remove", lambda one: (found.append(one), remove(one)))
    return found


def processes(sandbox, index=0):
    """The processes of a container: the engine's, the gateway, the fork server, its children."""
    engine = psutil.Process(sandbox._backend._containers[index]._process.pid)
    return [engine, *processes_in(engine)]


def gone(found, seconds=5):
    _, alive = psutil.wait_procs(found, timeout=seconds)
    return not [one for one in alive if one.status() != psutil.STATUS_ZOMBIE]


def test_a_container_runs_a_gateway_a_fork_server_and_one_process_at_a_time(shared):
    before = len(processes(shared))
    connection = shared.connect()
    first = connection.start_worker()
    assert len(processes(shared)) == before + 1
    second = connection.start_worker()
    assert len(processes(shared)) == before + 1
    assert second.run_cell("1 + 1").printed == "2\n"
    with pytest.raises(StudentDied, match="was closed"):
        first.run_cell("1")
    second.close()
    second.close()
    assert len(processes(shared)) == before
    with pytest.raises(StudentDied):
        second.run_cell("1")


def test_whatever_part_dies_amid_a_call_is_lost_and_not_the_students_fault(own, removed):
    for part in (1, 2):  # the gateway, the fork server
        connection = own.connect()
        worker = connection.start_worker()
        worker.run_cell("import time\ndef f():\n    time.sleep(3)")
        parts = processes(own)
        assert len(parts) == 4  # and the student's
        with killed_soon(parts[part].pid), pytest.raises(SandboxLost):
            worker.call("f")
        with pytest.raises(SandboxLost):
            connection.start_worker()
        worker.close()
        own.close()
        assert gone(parts)
        own.start()
    assert own.connect().start_worker().run_cell("1 + 1").printed == "2\n"
    assert not removed, "each ended by itself"


@contextlib.contextmanager
def killed_soon(pid):
    killer = subprocess.Popen(["sh", "-c", f"sleep 0.3; kill -9 {pid}"])
    yield
    assert killer.wait() == 0


def test_a_gateway_that_is_stopped_costs_the_deadline_and_is_then_lost(own, monkeypatch):
    monkeypatch.setattr("autograder.sandbox.containers.gateway.ANSWER_SECONDS", 0.5)
    monkeypatch.setattr("autograder.sandbox.containers.backend.END_SECONDS", 0.5)
    worker = own.connect().start_worker()
    parts = processes(own)
    os.kill(parts[1].pid, signal.SIGSTOP)
    start = time.monotonic()
    with pytest.raises(SandboxLost, match="has not answered"):
        worker.run_cell("1")
    assert time.monotonic() - start < 6
    own.close()
    assert gone(parts)


def test_hanging_up_ends_the_container_and_all_in_it(own, removed):
    connection = own.connect()
    connection.start_worker().run_cell("1")
    parts = processes(own)
    own.close()
    own.close()
    assert gone(parts)
    assert not removed, "it ended by itself"
    with pytest.raises(SandboxLost, match="closed"):
        connection.start_worker()


CODE = """
import sys, time
from autograder.sandbox import Sandbox
sandbox = Sandbox("container", image=sys.argv[1])
sandbox.start()
sandbox.connect().start_worker().run_cell("def f():\\n    while True: pass")
(one,) = sandbox._backend._containers
print(one._name, one._process.pid, flush=True)
time.sleep(60)
"""


@pytest.mark.parametrize("who", ["the grader", "the grader and the engine's program"])
def test_everything_ends_when_the_grader_is_killed_by_surprise(podman, monkeypatch, who):
    command = [sys.executable, "-c", CODE, podman(monkeypatch)]
    grader = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    name, pid = grader.stdout.readline().split()
    engine = psutil.Process(int(pid))
    parts = [engine, *processes_in(engine)]
    assert len(parts) == 4
    if "and" in who:
        engine.kill()
    grader.kill()
    grader.communicate()
    assert gone(parts)
    end = time.monotonic() + 10
    while subprocess.run(["podman", "container", "exists", name]).returncode == 0:
        assert time.monotonic() < end, "the container is left"
        time.sleep(0.1)


def test_a_process_killed_from_outside_is_out_of_memory_as_elsewhere(shared):
    worker = shared.connect().start_worker()
    os.kill(processes(shared)[3].pid, signal.SIGKILL)
    with pytest.raises(StudentDied, match="out_of_memory: killed"):
        worker.run_cell("1")
    assert shared.connect().start_worker().run_cell("2").printed == "2\n"


def test_values_larger_than_the_window_cross_in_both_directions(shared):
    import torch

    worker = shared.connect().start_worker()
    worker.run_cell("def f(x):\n    return x + 1")
    sent = torch.arange(5 * WINDOW // 8)
    assert torch.equal(worker.call("f", [sent]).value, sent + 1)
    assert torch.equal(worker.call("f", [sent]).value, sent + 1)


FLOODS = {
    "a frame that never ends": "os.write(3, struct.pack('<4sIQ', b'agw1', 2, 1 << 27) + b'{}')\n"
    "while True: os.write(3, bytes(1 << 16))",
    "noise": "while True: os.write(3, bytes(1 << 16))",
    "noise, and an end": "for _ in range(400): os.write(3, bytes(1 << 16))\nos._exit(0)",
    "noise from a thread": "import threading\n"
    "def flood():\n    while True: os.write(3, b'x' * 4096)\n"
    "threading.Thread(target=flood, daemon=True).start()\ntime.sleep(60)",
}


@pytest.mark.parametrize("flood", FLOODS)
def test_a_flood_from_the_student_ends_the_student_alone(shared, flood):
    worker = shared.connect().start_worker()
    gateway = processes(shared)[1]
    held = gateway.memory_info().rss
    start = time.monotonic()
    with pytest.raises(StudentDied) as died:
        worker.run_cell(f"import os, struct, time\n{FLOODS[flood]}")
    assert time.monotonic() - start < 10
    assert died.value.reason in ("protocol", "timeout", "crashed")
    assert gateway.memory_info().rss - held < 16 << 20
    assert shared.connect().start_worker().run_cell("1 + 1").printed == "2\n"


def test_code_that_closes_every_descriptor_and_floods_the_rest_harms_nobody(shared):
    worker = shared.connect().start_worker()
    with pytest.raises(StudentDied, match="timeout"):
        worker.run_cell("import os, time\nos.closerange(0, 1 << 16)\ntime.sleep(60)")
    worker = shared.connect().start_worker()
    worker.run_cell(
        "import os, signal\n"
        "for pid in range(-5, 50):\n"
        "    for number in (signal.SIGKILL, signal.SIGSTOP):\n"
        "        try:\n"
        "            if pid != os.getpid(): os.kill(pid, number)\n"
        "        except OSError: pass\n"
        "for n in (0, 1, 2): os.write(n, b'e' * 4096)\n"
    )
    assert worker.run_cell("1 + 1").printed == "2\n"
    worker.close()


# What a Mac's Python does not have, nor any file of /proc: the trusted side must do without.
AS_ON_A_MAC = """
import os, select, signal, socket, sys
for module, names in {
    os: ("pidfd_open", "sched_getaffinity", "sched_setaffinity", "memfd_create", "unshare", "setns",
         "getrandom", "eventfd"),
    signal: ("pidfd_send_signal",),
    select: ("epoll",),
    socket: ("SOCK_SEQPACKET", "SOCK_CLOEXEC", "SOCK_NONBLOCK"),
}.items():
    for name in names:
        if hasattr(module, name): delattr(module, name)
# Not ours, and free to look around.
import torch, numpy, ctypes, platform, importlib.metadata, psutil, zoneinfo
sys.platform = "darwin"
def no_proc(event, args):
    if event == "open" and isinstance(args[0], str) and args[0].startswith("/proc"):
        raise RuntimeError(f"the trusted side opens {args[0]}")
sys.addaudithook(no_proc)
from autograder.sandbox import Sandbox
with Sandbox(packages=["torch", "numpy", "ipython"], image=sys.argv[1]) as sandbox:
    print(sandbox.isolation, sandbox.notes)
    connection = sandbox.connect()
    worker = connection.start_worker({"a.txt": b"file"})
    worker.run_cell("def f(x): return open('a.txt').read(), x + 1")
    print(worker.call("f", [torch.ones(2)]).value)
    print(worker.peak_bytes() > 1 << 20)
    try:
        worker.run_cell("import ctypes; ctypes.string_at(0)")
    except Exception as died:
        print(died)
    worker.close()
import autograder.verdicts.server, autograder.verdicts.grader, autograder.student.session
print(autograder.verdicts.grader.default_workers() >= 1)
"""


def test_the_trusted_side_needs_nothing_of_linux(podman, monkeypatch):
    command = [sys.executable, "-c", AS_ON_A_MAC, podman(monkeypatch)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [
        "container+landlock+seccomp ()",
        "('file', tensor([2., 2.]))",
        "True",
        "crashed: signal 11 (SIGSEGV)",
        "True",
    ]
