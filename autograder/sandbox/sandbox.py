"""The sandbox: one fork server for a run's grading processes, in the strongest form that works."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Self

from autograder.course.limits import Limits
from autograder.sandbox.errors import SandboxUnavailable

if TYPE_CHECKING:
    from autograder.sandbox.channel import Control
    from autograder.sandbox.connection import Connection
    from autograder.sandbox.launch import Launch, View

PACKAGES = ("torch", "numpy", "matplotlib", "jaxtyping", "pytest", "ipython")
READY_SECONDS = 120  # loading torch from a cold disk takes its time

MODES_OF = {"required": ("full", "fallback"), "fallback": ("fallback",), "none": ("none",)}
ISOLATION_OF = {
    "full": "bwrap+landlock+seccomp",
    "fallback": "landlock+seccomp",
    "none": "none",
}


class _Refused(Exception):
    """This mode does not work here; the text says why."""


class Sandbox:
    """Where student code runs.

    Start it before the grading processes are forked; each of them then takes one connection.

    Args:
        policy: `required`: namespaces, Landlock and seccomp, else Landlock and seccomp; `fallback`:
            the latter at once; `none`: a plain process, which a hostile student can leave.
        limits: bounds on every submission.
        packages: distributions that student code may import, with what they require.
        connections: how many grading processes there will be.

    Attributes:
        isolation: what holds the student's code, such as "bwrap+landlock+seccomp".
        notes: why a stronger form does not work here.
    """

    def __init__(
        self,
        policy: str = "required",
        limits: Limits | None = None,
        packages: Sequence[str] = PACKAGES,
        connections: int = 1,
    ) -> None:
        if policy not in MODES_OF:
            raise ValueError(f"sandbox policy {policy!r} is none of {', '.join(MODES_OF)}")
        self.limits = limits or Limits()
        self.isolation = ""
        self.notes: tuple[str, ...] = ()
        self._modes = MODES_OF[policy]
        self._packages = tuple(dict.fromkeys([*packages, "ipython"]))
        self._connections = connections
        self._controls: list[Control] = []
        self._process: subprocess.Popen[bytes] | None = None
        self._zygote = -1  # pidfd
        self._folder: Path | None = None
        self._owner = 0

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        """Start the fork server; after `close`, start it anew.

        Raises:
            SandboxUnavailable: nothing that the policy allows works here.
        """
        if sys.platform != "linux":
            raise SandboxUnavailable(
                "The sandbox needs Linux. Grade on a Linux machine or in a Linux container."
            )
        from autograder.sandbox.launch import View

        view = View.of(self._packages)
        notes: list[str] = []
        for mode in self._modes:
            try:
                self._start(mode, view)
            except _Refused as why:
                self.close()
                notes.append(f"{ISOLATION_OF[mode]} does not work here: {why}")
            else:
                self.isolation, self.notes = ISOLATION_OF[mode], tuple(notes)
                return
        raise SandboxUnavailable(
            "Student code cannot be held safely on this machine. "
            + " ".join(f"{note}." for note in notes)
            + " Linux 5.13 or newer with Landlock and seccomp is enough; inside Docker, a recent"
            " Docker with its default seccomp profile. `--sandbox none` runs the code unprotected."
        )

    def connect(self, index: int = 0) -> "Connection":
        """The connection for one grading process; each has its own index."""
        from autograder.sandbox.connection import Connection

        return Connection(self._controls[index], self.limits)

    def close(self) -> None:
        """End the fork server and every submission's process with it; may be repeated."""
        for control in self._controls:
            control.close()
        self._controls = []
        if os.getpid() != self._owner:
            return  # a forked grading process: the fork server is not its own to end
        if self._zygote >= 0:
            with contextlib.suppress(ProcessLookupError):  # it may have ended by itself
                signal.pidfd_send_signal(self._zygote, signal.SIGKILL)
            os.close(self._zygote)
            self._zygote = -1
        if self._process is not None:
            _end(self._process)
            self._process = None
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
            self._folder = None

    def _start(self, mode: str, view: "View") -> None:
        self._owner = os.getpid()
        pairs = [
            socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            for _ in range(self._connections)
        ]
        try:
            launch = self._launch(mode, view, [theirs.fileno() for _, theirs in pairs])
            self._begin(launch, pairs)
        finally:
            for _, theirs in pairs:
                theirs.close()

    def _launch(self, mode: str, view: "View", descriptors: list[int]) -> "Launch":
        from autograder.sandbox.launch import bubblewrap, find_bubblewrap, without_namespaces

        if mode == "full":
            binary = find_bubblewrap()
            if binary is None:
                raise _Refused("there is no bwrap; install the package bubblewrap")
            return bubblewrap(binary, view, descriptors, self.limits)
        self._folder = Path(tempfile.mkdtemp(prefix="autograder-sandbox-"))
        self._folder.chmod(0o755)
        return without_namespaces(mode, view, self._folder, descriptors, self.limits)

    def _begin(self, launch: "Launch", pairs: list[tuple[socket.socket, socket.socket]]) -> None:
        """Start the fork server and wait until it has loaded everything.

        Raises:
            _Refused: it ended, or said that the kernel refuses something.
        """
        from autograder.sandbox.channel import Closed, Control

        self._controls = [Control(ours) for ours, _ in pairs]
        with tempfile.TemporaryFile() as complaints:
            self._process = subprocess.Popen(
                launch.command,
                env=launch.environment,
                cwd="/",
                pass_fds=[theirs.fileno() for _, theirs in pairs],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=complaints,
                start_new_session=True,
            )
            for _, theirs in pairs:
                theirs.close()
            try:
                message, descriptors = self._controls[0].hear_first(READY_SECONDS)
            except TimeoutError:
                raise _Refused(f"not ready after {READY_SECONDS} seconds") from None
            except (Closed, OSError):
                complaints.seek(0)
                said = complaints.read().decode(errors="replace").strip().splitlines()
                raise _Refused(said[-1] if said else "it ended without a word") from None
        if "unavailable" in message:
            raise _Refused(message["unavailable"])
        self._zygote = descriptors[0]


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Wait for a process that has lost its reason to live, and end it if it goes on."""
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
