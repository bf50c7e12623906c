"""A submission's process, seen from outside: how to end it, how it ended, what memory it took."""

import contextlib
import os
import signal
from pathlib import Path

from autograder.checks.errors import StudentDied
from autograder.sandbox.channel import Control
from autograder.sandbox.inside.line import NO_MEMORY


class Process:
    """One process of the fork server's.

    Args:
        number: what the fork server calls it.
        pidfd: descriptor that stands for it; signals through it reach no other process.
        control: the socket that tells how it ended.
    """

    def __init__(self, number: int, pidfd: int, control: Control) -> None:
        self._number = number
        self._pidfd = pidfd
        self._control = control
        self._pid = _pid_of(pidfd)

    def kill(self) -> None:
        """End it at once, whatever it does, and let go of it; may be repeated."""
        if self._pidfd < 0:
            return
        with contextlib.suppress(ProcessLookupError):  # it may have ended by itself
            signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
        os.close(self._pidfd)
        self._pidfd = -1

    def why_it_ended(self) -> StudentDied:
        """What its exit status says, when it ended by itself."""
        status = self._control.status_of(self._number, seconds=5)
        if status is None:
            return StudentDied("crashed", "the process ended")
        if status == NO_MEMORY:
            return StudentDied("out_of_memory", "too little memory to answer")
        if status >= 0:
            # Not the status itself: the code chooses it, and could tell a hidden input with it.
            return StudentDied("crashed", "the process exited by itself")
        if status == -signal.SIGKILL:
            return StudentDied("out_of_memory", "ended by the system")
        return StudentDied("crashed", f"signal {-status} ({_signal_name(-status)})")

    def peak_bytes(self) -> int:
        """The most memory it has held so far.

        Raises:
            ProcessLookupError: it has ended.
        """
        text = Path(f"/proc/{self._pid}/status").read_text()
        signal.pidfd_send_signal(self._pidfd, 0)  # or the number may have gone to another process
        for line in text.splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
        raise ProcessLookupError(f"process {self._pid} has no memory any more")


def _pid_of(pidfd: int) -> int:
    """The process's number where we are; its own namespaces count differently."""
    for line in Path(f"/proc/self/fdinfo/{pidfd}").read_text().splitlines():
        if line.startswith("Pid:"):
            return int(line.split()[1])
    raise ProcessLookupError("the process has ended")


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return "unknown"
