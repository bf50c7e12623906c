"""Starting, ending and losing the fork server and its processes; falling back, and saying so."""

import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from autograder.checks.kit.errors import StudentDied
from autograder.course.limits import Limits
from autograder.sandbox import Sandbox, SandboxLost, SandboxUnavailable
from autograder.sandbox import launch as launching


def pid_of(pidfd):
    fields = Path(f"/proc/self/fdinfo/{pidfd}").read_text().split()
    return int(fields[fields.index("Pid:") + 1])


def gone(pid, seconds=3.0):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        try:
            if "\nState:\tZ" in Path(f"/proc/{pid}/status").read_text():
                return True
        except OSError:
            return True
        time.sleep(0.02)
    return False


# Containers have tests of their own for these, in test_container_lifecycle.py.
NATIVE = pytest.mark.parametrize("sandbox", ["required", "fallback"], indirect=True)


@NATIVE
def test_a_closed_worker_is_killed_and_reaped(connection):
    worker = connection.start_worker()
    pid = worker._process._pid
    worker.close()
    worker.close()
    assert gone(pid)
    with pytest.raises(StudentDied):
        worker.run_cell("1")


def test_the_next_submission_is_unharmed_by_one_that_dies(connection):
    for source in ("import os; os._exit(0)", "import ctypes; ctypes.string_at(0)"):
        worker = connection.start_worker()
        with pytest.raises(StudentDied):
            worker.run_cell(source)
        after = connection.start_worker()
        assert after.run_cell("1 + 1").printed == "2\n"
        after.close()


def test_two_connections_work_at_the_same_time(sandbox):
    workers = [sandbox.connect(index).start_worker() for index in (0, 1)]
    for number, worker in enumerate(workers):
        worker.run_cell(f"n = {number}")
    assert [worker.value("n") for worker in workers] == [0, 1]
    for worker in workers:
        worker.close()


@NATIVE
def test_a_grading_process_that_is_killed_takes_its_submission_along(sandbox):
    reading, writing = os.pipe()
    grader = os.fork()
    if grader == 0:
        worker = sandbox.connect(1).start_worker()
        os.write(writing, str(worker._process._pid).encode())
        time.sleep(30)
        os._exit(0)
    pid = int(os.read(reading, 20))
    assert not gone(pid, 0.1)
    os.kill(grader, signal.SIGKILL)
    os.waitpid(grader, 0)
    os.close(reading)
    os.close(writing)
    assert gone(pid)


@NATIVE
def test_the_fork_server_has_one_thread_and_none_of_our_descriptors(sandbox):
    pid = pid_of(sandbox._backend._zygote)
    assert len(list(Path(f"/proc/{pid}/task").iterdir())) == 1
    descriptors = []
    for one in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(FileNotFoundError):  # a process that has ended, let go meanwhile
            descriptors.append(os.readlink(one))
    assert descriptors
    root = Path(__file__).parent.parent.parent
    hidden = [str(root / name) for name in ("autograder", "graders", "solutions", "gradebook.db")]
    assert not any(path.startswith(tuple(hidden)) and "/inside" not in path for path in descriptors)


@pytest.fixture
def own(sandbox):
    """A sandbox of its own, to break."""
    policy = "required" if sandbox.isolation.startswith("bwrap") else "fallback"
    with Sandbox(policy=policy, limits=sandbox.limits) as started:
        yield started


@NATIVE
def test_a_fork_server_that_dies_is_reported_and_can_be_started_anew(own):
    connection = own.connect()
    worker = connection.start_worker()
    pid = worker._process._pid
    os.kill(pid_of(own._backend._zygote), signal.SIGKILL)
    assert gone(pid)
    with pytest.raises(SandboxLost, match="gone"):
        connection.start_worker()
    own.close()
    own.start()
    worker = own.connect().start_worker()
    assert worker.run_cell("1 + 1").printed == "2\n"
    folder = own._backend._folder
    own.close()
    assert folder is None or not folder.exists()


@pytest.mark.slow
def test_everything_ends_when_the_grader_is_killed():
    code = (
        "import time\n"
        "from autograder.sandbox import Sandbox\n"
        "s = Sandbox(policy='fallback'); s.start()\n"
        "w = s.connect().start_worker()\n"
        "b = s._backend\n"
        "fd = open(f'/proc/self/fdinfo/{b._zygote}').read().split()\n"
        "print(fd[fd.index('Pid:') + 1], w._process._pid, b._folder, flush=True)\n"
        "time.sleep(60)\n"
    )
    grader = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    server, worker, folder = grader.stdout.readline().split()
    grader.kill()
    grader.wait()
    assert gone(int(worker))
    assert gone(int(server))
    end = time.monotonic() + 3
    while Path(folder).exists() and time.monotonic() < end:
        time.sleep(0.02)
    assert not Path(folder).exists()


def test_a_bubblewrap_that_may_not_make_namespaces_falls_back_and_says_why(monkeypatch, tmp_path):
    refusing = tmp_path / "bwrap"
    refusing.write_text(
        "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2\nexit 1"
    )
    refusing.chmod(0o755)
    monkeypatch.setattr(launching, "find_bubblewrap", lambda: str(refusing))
    with Sandbox() as started:
        assert started.isolation == "landlock+seccomp"
        assert "No permissions to create new namespace" in started.notes[0]


def test_what_was_launched_is_what_starts(monkeypatch):
    made = []
    real = launching.without_namespaces
    monkeypatch.setattr(
        launching, "without_namespaces", lambda *given: made.append(given) or real(*given)
    )
    sandbox = Sandbox(policy="fallback")
    sandbox.launch()
    with sandbox:
        assert sandbox.connect().start_worker().run_cell("1 + 1").printed == "2\n"
    assert len(made) == 1


def test_a_form_that_cannot_be_launched_is_told_by_start_which_goes_on_to_the_next(monkeypatch):
    monkeypatch.setattr(launching, "find_bubblewrap", lambda: None)
    sandbox = Sandbox()
    sandbox.launch()
    with sandbox:
        assert sandbox.isolation == "landlock+seccomp"
        assert "there is no bwrap" in sandbox.notes[0]


def test_where_nothing_works_it_refuses_and_says_what_is_missing_and_what_to_do(monkeypatch):
    monkeypatch.setattr(launching, "find_bubblewrap", lambda: None)
    monkeypatch.setattr(launching, "_python", lambda: "/bin/false")
    with pytest.raises(SandboxUnavailable, match="Landlock and seccomp is enough") as refused:
        Sandbox().start()
    assert "there is no bwrap" in str(refused.value)


def test_an_unknown_policy_is_refused():
    with pytest.raises(ValueError, match="required, fallback, container, none"):
        Sandbox(policy="maybe")


def test_the_unprotected_mode_says_so_and_keeps_the_limits():
    with Sandbox(policy="none", limits=Limits(cell_seconds=0.5)) as started:
        assert started.isolation == "none"
        worker = started.connect().start_worker({"a.txt": b"x"})
        assert worker.run_cell("open('a.txt').read()").printed == "'x'\n"
        with pytest.raises(StudentDied, match="timeout"):
            worker.run_cell("while True: pass")


def test_importing_the_sandbox_loads_no_torch():
    code = "import sys, autograder.sandbox; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


@pytest.mark.parametrize(
    ("uid_map", "capabilities", "may"),
    [
        ("0 0 4294967295", "000001ffffffffff", True),
        ("0 100000 65536", "00000000a80425fb", True),  # root of a rootless container
        ("0 1000 1", "000001ffffffffff", False),  # a user namespace with one user in it
        ("0 0 4294967295", "0000000000000000", False),  # a container without capabilities
    ],
)
def test_root_drops_to_another_user_where_it_has_one(uid_map, capabilities, may):
    assert launching.may_change_user(uid_map, f"Name:\tx\nCapEff:\t{capabilities}\n") is may


@pytest.mark.parametrize("policy", ["required", "fallback"])
def test_a_root_that_may_not_change_user_still_gets_a_sandbox(policy, monkeypatch):
    if os.geteuid() != 0:
        pytest.skip("only for root")
    monkeypatch.setattr(launching, "user_to_become", lambda: None)
    with Sandbox(policy=policy) as started:
        assert started.isolation != "none"
        worker = started.connect().start_worker()
        source = "import os\nprint(os.getuid())\nopen('/etc/passwd')"
        outcome = worker.run_cell(source)
        assert outcome.printed == "0\n"
        assert outcome.error.type_name in ("FileNotFoundError", "PermissionError")
