"""The sandbox on this machine: one fork server for all grading processes, over sockets."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import IO

from autograder.course.limits import Limits
from autograder.sandbox import launch as launching
from autograder.sandbox.backend import Closed, Refused
from autograder.sandbox.channel import Control, SocketChannel
from autograder.sandbox.driver_module import build_driver_module
from autograder.sandbox.errors import SandboxLost
from autograder.sandbox.gpu import Gpu
from autograder.sandbox.inside.confine import DRIVER_BYTES
from autograder.sandbox.inside.layers import NAMESPACES
from autograder.sandbox.machine_memory import times_run_out
from autograder.sandbox.process import NativeProcess

READY_SECONDS = 120  # loading torch from a cold disk takes its time


class NativeBackend:
    """A fork server held by layers of this machine's kernel; see `backend.Backend`.

    Args:
        isolation: what to call these layers.
        layers: what holds the student's code, of `layers.ALL`.
        packages: distributions that student code may import, with what they require.
        limits: bounds on every submission, to try the confinement with.
        connections: how many grading processes there will be.
        gpu: the GPU that submissions reach, if any.
    """

    def __init__(
        self,
        isolation: str,
        layers: frozenset[str],
        packages: Sequence[str],
        limits: Limits,
        connections: int,
        gpu: Gpu | None = None,
    ) -> None:
        self.isolation = isolation
        self.unusable: dict[str, str] = {}
        self._layers = layers
        self._packages = packages
        self._limits = limits
        self._connections = connections
        self._gpu = gpu
        self._controls: list[Control] = []
        self._process: subprocess.Popen[bytes] | None = None
        self._complaints: IO[bytes]
        self._zygote = -1  # pidfd
        self._folder: Path | None = None
        self._built: Path | None = None
        self._owner = 0

    def launch(self) -> None:
        """Start the fork server, which takes seconds to load what submissions use."""
        if sys.platform != "linux":
            raise Refused("it is made of Linux's own parts, and this is no Linux")
        self._owner = os.getpid()
        if self._gpu is not None and "triton" in self._packages:
            self._gpu = self._with_kernels(self._gpu)
        view = launching.View.of(self._packages, self._gpu)
        pairs = [
            socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
            for _ in range(self._connections)
        ]
        try:
            self._begin(self._command(view, [theirs.fileno() for _, theirs in pairs]), pairs)
        finally:
            for _, theirs in pairs:
                theirs.close()

    def start(self) -> None:
        """Wait for the fork server, which says when it has loaded what every submission uses."""
        if self._process is None:
            self.launch()
        try:
            message, descriptors = self._controls[0].hear_first(READY_SECONDS)
        except TimeoutError:
            raise Refused(f"not ready after {READY_SECONDS} seconds") from None
        except (Closed, OSError):
            self._complaints.seek(0)
            said = self._complaints.read().decode(errors="replace").strip().splitlines()
            raise Refused(said[-1] if said else "it ended without a word") from None
        if "unavailable" in message:
            raise Refused(message["unavailable"])
        self._zygote = descriptors[0]
        if message["why_no_kernels"] is not None:
            self.unusable["triton"] = message["why_no_kernels"]

    def source(self, index: int, again: bool = False) -> "NativeSource":
        """The source of one grading process; messages on its socket are whole, and each its own."""
        return NativeSource(self._controls[index], watched=self._gpu is not None)

    def close(self) -> None:
        """End the fork server and every submission's process with it."""
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
            self._complaints.close()
            self._process = None
        for folder in filter(None, (self._folder, self._built)):
            shutil.rmtree(folder, ignore_errors=True)
        self._folder = self._built = None

    def _with_kernels(self, gpu: Gpu) -> Gpu:
        """The GPU with what Triton's kernels need to be compiled, where it can be built here."""
        self._built = Path(tempfile.mkdtemp(prefix="autograder-triton-"))
        self._built.chmod(0o755)
        try:
            return replace(gpu, driver_module=build_driver_module(self._built))
        except LookupError as why:
            self.unusable["triton"] = str(why)
            return gpu

    def _command(self, view: launching.View, descriptors: list[int]) -> launching.Launch:
        if NAMESPACES in self._layers:
            binary = launching.find_bubblewrap()
            if binary is None:
                raise Refused("there is no bwrap; install the package bubblewrap")
            return launching.bubblewrap(
                binary, view, descriptors, self._limits, self._layers, self._gpu
            )
        self._folder = Path(tempfile.mkdtemp(prefix="autograder-sandbox-"))
        self._folder.chmod(0o755)
        return launching.without_namespaces(
            self._layers, view, self._folder, descriptors, self._limits, self._gpu
        )

    def _begin(
        self, started: launching.Launch, pairs: list[tuple[socket.socket, socket.socket]]
    ) -> None:
        self._controls = [Control(ours) for ours, _ in pairs]
        self._complaints = tempfile.TemporaryFile()  # noqa: SIM115 - closed by close
        self._process = subprocess.Popen(
            started.command,
            env=started.environment,
            cwd="/",
            pass_fds=[theirs.fileno() for _, theirs in pairs],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._complaints,
            start_new_session=True,
        )


class NativeSource:
    """Asks the fork server for processes; see `backend.Source`.

    Args:
        control: a control socket of its own.
        watched: whether no limit of the kernel's bounds a process's memory.
    """

    def __init__(self, control: Control, watched: bool = False) -> None:
        self._control = control
        self._watched = watched
        self._run_out_before = times_run_out()

    def start_process(self, limits: Limits) -> tuple[NativeProcess, SocketChannel]:
        """A fresh process, and the socket to it."""
        ours, theirs = socket.socketpair()
        try:
            number, pidfd = self._control.ask(asdict(launching.allowance_of(limits)), theirs)
        except Closed as error:
            ours.close()
            raise SandboxLost(f"The sandbox is gone: {error}") from error
        finally:
            theirs.close()
        most = limits.memory_bytes + DRIVER_BYTES if self._watched else None
        process = NativeProcess(number, pidfd, self._control, self._run_out_before, most)
        return process, SocketChannel(ours, limits.reply_bytes)


def _end(process: "subprocess.Popen[bytes]") -> None:
    """Wait for a process that has lost its reason to live, and end it if it goes on."""
    try:
        process.wait(5)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
