"""A process of the fork server's on this machine, seen from outside."""

import contextlib
import os
import signal

from autograder.checks.kit.errors import StudentDied
from autograder.sandbox.channel import Control
from autograder.sandbox.ending import SIGKILL, death_of
from autograder.sandbox.errors import SandboxLost
from autograder.sandbox.inside import watch
from autograder.sandbox.machine_memory import times_run_out


class NativeProcess:
    """One process of the fork server's; see `backend.Process`.

    Args:
        number: what the fork server calls it.
        pidfd: descriptor that stands for it; signals through it reach no other process.
        control: the socket that tells how it ended.
        run_out_before: how often memory had run out on this machine before it started.
        most_bytes: what it may hold beyond what it begins with, where the kernel sets no bound.
    """

    def __init__(
        self,
        number: int,
        pidfd: int,
        control: Control,
        run_out_before: int,
        most_bytes: int | None = None,
    ) -> None:
        self._number = number
        self._pidfd = pidfd
        self._control = control
        self._run_out_before = run_out_before
        self._pid = watch.pid_of(pidfd)
        self.is_watched = most_bytes is not None
        self._most_bytes = (most_bytes or 0) + self._held_bytes() if self.is_watched else 0

    def kill(self) -> None:
        """End it at once; a signal by its descriptor cannot fail to."""
        if self._pidfd < 0:
            return
        with contextlib.suppress(ProcessLookupError):  # it may have ended by itself
            signal.pidfd_send_signal(self._pidfd, signal.SIGKILL)
        os.close(self._pidfd)
        self._pidfd = -1

    def why_it_ended(self) -> StudentDied:
        """What its exit status says, as the fork server tells it.

        Raises:
            SandboxLost: memory ran out on this machine, which may have been nobody's fault here.
        """
        status = self._control.status_of(self._number, seconds=5)
        if status == -SIGKILL and times_run_out() > self._run_out_before:
            raise SandboxLost("Memory ran out on this machine, and the system killed a process.")
        return StudentDied("crashed", "the process ended") if status is None else death_of(status)

    def peak_bytes(self) -> int:
        """The most memory it has held so far."""
        return watch.peak_bytes(self._pidfd, self._pid)

    def holds_too_much(self) -> bool:
        """Whether it holds more memory than it may."""
        return self._held_bytes() > self._most_bytes

    def _held_bytes(self) -> int:
        return watch.held_bytes(self._pidfd, self._pid)

    def effort(self) -> tuple[float, bool]:
        """The processor seconds it has used so far, and whether it wants more just now."""
        return watch.effort(self._pidfd, self._pid)
