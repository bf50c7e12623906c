"""A grading process and the places of its workers, as the caller sees them."""

import os
import queue
import signal
import socket
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from multiprocessing.connection import Connection, wait
from typing import Any

from autograder.course.errors import MachineError
from autograder.verdicts.messages import Ended, receive, receive_line, send


class GradingUnavailable(MachineError):
    """Nothing can be graded here; the text says why and what to do."""


class EndedEarly(GradingUnavailable):
    """The grading process ended before it was ready, without a word."""


class ProcessEnded(Exception):
    """The grading process has ended, and all its workers with it."""


class Place:
    """Where one worker stands at a time; used by one thread at a time.

    Args:
        supervisor: the line on which the supervisor hands over the line to each worker.
    """

    def __init__(self, supervisor: Connection) -> None:
        self._supervisor = supervisor
        self._worker: Connection | None = None

    def meet(self) -> dict[str, Any]:
        """Wait for the next worker; what the supervisor says of it, and of the one before.

        Raises:
            ProcessEnded: there will be none.
            GradingUnavailable: nothing can be graded here.
        """
        try:
            message = receive(self._supervisor)
            if "refused" in message:
                raise GradingUnavailable(message["refused"])
            self._hang_up()
            self._worker = receive_line(self._supervisor)
        except (EOFError, OSError) as error:
            raise ProcessEnded from error
        return message

    def ask(self, task: dict[str, Any]) -> dict[str, Any] | Ended:
        """A worker's answer to a task, or how it ended over it; then another stands here.

        Raises:
            ProcessEnded: all of them have ended.
        """
        while self._supervisor.poll():
            self.meet()  # the last one has ended while there was nothing to do
        assert self._worker is not None
        with suppress(EOFError, OSError):
            send(self._worker, task)
            if self._worker in wait([self._worker, self._supervisor]):
                return receive(self._worker)
        return Ended(**self.meet()["ended"])

    def close(self) -> None:
        """Hang up, which ends the worker."""
        self._supervisor.close()
        self._hang_up()

    def _hang_up(self) -> None:
        if self._worker is not None:
            self._worker.close()


class GradingProcess:
    """One grading process, started.

    Args:
        setup: what it grades with, as `describe_setup` tells it; gone through while it starts.
        workers: how many places it has.
        program: the module that runs as the process.

    Attributes:
        pid: its number, and that of the group of all its workers.
        free: places that nobody uses. None among them says that there will be no more.
        notes: what is weaker here than it could be, and why.

    Raises:
        CourseError: what `setup` raises.
        EndedEarly: something has ended it.
        GradingUnavailable: the course's sandbox policy cannot be met, or the graders do not load.
    """

    def __init__(
        self,
        setup: Iterable[dict[str, Any]],
        workers: int,
        program: str = "autograder.verdicts.server",
    ) -> None:
        pairs = [socket.socketpair() for _ in range(workers)]
        theirs = [their.fileno() for _, their in pairs]
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", program, *map(str, theirs)],
            pass_fds=theirs,
            stdin=subprocess.DEVNULL,
            start_new_session=True,  # one group to kill, and Ctrl-C reaches the caller alone
        )
        self.pid = self._process.pid
        for _, their in pairs:
            their.close()
        lines = [Connection(ours.detach()) for ours, _ in pairs]
        self._places = [Place(line) for line in lines]
        # Whoever comes again meets the same worker, which knows what it has seen before.
        self.free: queue.Queue[Place | None] = queue.LifoQueue()
        try:
            for message in setup:
                with suppress(BrokenPipeError):  # it has refused by now, and says why
                    send(lines[0], message)
            for place in self._places:
                self.notes: list[str] = place.meet()["notes"]
                self.free.put(place)
        except ProcessEnded as error:
            self.close()
            raise EndedEarly(
                "The grading process ended while it started. Its message stands above; without "
                "one, something killed it, and the same command may go on."
            ) from error
        except BaseException:
            self.close()
            raise

    def close(self) -> None:
        """Hang up, and wait until it has ended."""
        for place in self._places:
            place.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """End it with all its workers; whoever waits for an answer hears of it."""
        with suppress(ProcessLookupError):
            os.killpg(self.pid, signal.SIGKILL)
        self._process.wait()
