"""What surrounds the sandbox while it is attacked: canaries, listeners, a process with a secret."""

import contextlib
import ctypes
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Self

from autograder.checks.kit.errors import StudentDied, StudentError
from autograder.course.limits import Limits
from autograder.sandbox import Sandbox, SandboxLost
from autograder.sandbox.worker import Worker

CANARY = "CANARY-4f2a91"
LIMITS = Limits(
    cell_seconds=20.0,
    submission_seconds=60.0,
    memory_bytes=256 << 20,
    scratch_bytes=8 << 20,
    threads=16,
)
PRELUDE = """
import ctypes, os, platform, resource, signal, socket, sys, threading, time
libc = ctypes.CDLL(None, use_errno=True)
def checked(result):
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result
def first(ways):
    for way in ways:
        try:
            return way()
        except (OSError, ValueError):
            pass
def pids():
    try:
        return [one for one in os.listdir('/proc') if one.isdigit()]
    except OSError:
        return list(range(1, 400))
answer = None
"""


class Stage:
    """A course's folder with canaries in it, and listeners, all of the grader's own user.

    Attributes:
        folder: what the course would be; hidden, private and gradebook are files in it.
        hidden: a file that any user of the machine may read.
        private: a file for its owner alone.
        gradebook: a file that its owner may write.
        open: a folder in which every user may write.
    """

    def __enter__(self) -> Self:
        self.folder = Path(tempfile.mkdtemp(prefix="ablation-"))
        self.folder.chmod(0o755)
        self.hidden, self.private = self.folder / "hidden.py", self.folder / "private.py"
        self.gradebook, self.open = self.folder / "gradebook.db", self.folder / "open"
        self.open.mkdir()
        self.open.chmod(0o1777)
        self.hidden.write_text(CANARY)
        self.private.write_text(CANARY)
        self.private.chmod(0o600)
        self.restore()
        self.tcp = socket.create_server(("127.0.0.1", 0))
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind(("127.0.0.1", 0))
        self.unix = socket.socket(socket.AF_UNIX)
        self.unix_path = self.folder / "listener"
        self.unix.bind(str(self.unix_path))
        self.unix_path.chmod(0o777)
        self.abstract = socket.socket(socket.AF_UNIX)
        self.abstract.bind(f"\0{CANARY}-{os.getpid()}")
        for listener in (self.unix, self.abstract):
            listener.listen()
        self.neighbour = subprocess.Popen(
            [sys.executable, "-S", "-c", "import sys; sys.stdin.read()"],
            env={"TOKEN": CANARY},
            stdin=subprocess.PIPE,
        )
        return self

    def __exit__(self, *_: object) -> None:
        for listener in (self.tcp, self.udp, self.unix, self.abstract):
            listener.close()
        self.neighbour.communicate()
        shutil.rmtree(self.folder)

    def restore(self) -> None:
        """Undo what an attack has done outside."""
        while os.path.ismount(self.open):
            ctypes.CDLL(None).umount2(bytes(self.open), 2)
        for left in [*self.open.iterdir(), *Path("/dev/shm").glob(f"{CANARY}*")]:
            left.unlink()
        for left in (Path(tempfile.gettempdir(), CANARY), Path("/tmp", CANARY)):
            left.unlink(missing_ok=True)
        self.gradebook.write_text("marks")
        self.gradebook.chmod(0o644)

    def was_reached(self, listener: socket.socket) -> bool:
        """Whether anybody has spoken to a listener since it was last asked."""
        listener.settimeout(0.1)
        try:
            if listener.type == socket.SOCK_DGRAM:
                listener.recv(99)
            else:
                listener.accept()[0].close()
        except OSError:
            return False
        return True


class Act:
    """One attack: an attacker, and where it needs one a victim, each a submission of its own.

    Attributes:
        death: why the attacker's process ended, or None.
        lost: whether the fork server has gone.
        stage: what surrounds them.
    """

    def __init__(self, sandbox: Sandbox, stage: Stage) -> None:
        self.stage = stage
        self.lost = False
        self.death: StudentDied | None = None
        self._sandbox = sandbox
        self._workers: list[Worker] = []
        self.attacker = self.submission(0)

    def submission(
        self, place: int, files: dict[str, bytes] | None = None, limits: Limits = LIMITS
    ) -> Worker:
        """A submission's process on one of the two connections."""
        self._workers.append(self._sandbox.connect(place).start_worker(files, limits))
        return self._workers[-1]

    def victim(self, source: str) -> Worker:
        """Another submission, at the same time, which has run a cell."""
        worker = self.submission(1, {"answers.txt": CANARY.encode()})
        assert worker.run_cell(PRELUDE + source).error is None
        return worker

    def attack(self, source: str, **given: Any) -> Any:
        """What a cell leaves in `answer`; None when it fails, or its process dies.

        Args:
            source: the cell.
            **given: variables that it finds.

        Raises:
            StudentDied: it took too long, so that nobody knows whether it would have succeeded.
        """
        found = "".join(f"{name} = {value!r}\n" for name, value in given.items())
        try:
            self.attacker.run_cell(PRELUDE + found + source)
            return self.attacker.value("answer")
        except StudentDied as death:
            if death.reason == "timeout":
                raise
            self.death = death
            return None
        except StudentError:
            return None
        except SandboxLost:
            self.lost = True
            return None

    def next_submission(self, source: str, **given: Any) -> Any:
        """End the attacker; what a cell of the next submission in its place leaves in `answer`."""
        self.attacker.close()
        self.attacker = self.submission(0)
        return self.attack(source, **given)

    def is_served(self) -> bool:
        """Whether the fork server still starts processes."""
        if self.lost:
            return False
        try:
            self.submission(1).close()
        except SandboxLost:
            self.lost = True
        return not self.lost

    def end(self) -> None:
        """End every process of the attack."""
        for worker in self._workers:
            with contextlib.suppress(SandboxLost):
                worker.close()


def pid_of(worker: Worker) -> int:
    """A submission's process, as the outside numbers it."""
    return worker._process._pid


def numbers_of(worker: Worker) -> list[int]:
    """All the numbers of a process, from the outside's to that in its own namespace."""
    return [int(one) for one in status_of(worker, "NSpid")]


def status_of(worker: Worker, field: str) -> list[str]:
    """What the kernel says of a process; nothing when it has ended."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid_of(worker)}/status").read_text().splitlines():
            if line.startswith(f"{field}:"):
                return line.split()[1:]
    return []


def named(name: str) -> list[int]:
    """Processes of this name, anywhere on the machine."""
    found = []
    for process in Path("/proc").iterdir():
        with contextlib.suppress(OSError):
            if process.name.isdigit() and (process / "comm").read_text().strip() == name:
                found.append(int(process.name))
    return found
