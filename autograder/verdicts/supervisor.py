"""Keeps one grading worker at work for each of the caller's lines, within its bounds.

A worker has a line of its own to the caller, which ends with it: it may have died amid a message.
The next one's line reaches the caller by the supervisor's, together with how the last one ended.
"""

import os
import socket
import traceback
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import asdict
from multiprocessing.connection import Connection
from typing import NoReturn

import psutil

from autograder.course.limits import Bounds
from autograder.sandbox import SandboxLost
from autograder.verdicts.messages import Ended, send, send_line
from autograder.verdicts.watched import Watched

LOOK_SECONDS = 0.05
SANDBOX_LOST = 3  # the exit status of a worker that can go on as little as the others can

Work = Callable[[int, bool, Connection, int], None]
"""What a worker does, given its place, whether it comes after another there, its line to the
caller, and the pipe that takes its steps.

Raises:
    EOFError, BrokenPipeError: the caller has hung up.
    SandboxLost: no worker can go on.
"""


class Supervisor:
    """Forks the workers, watches them, and replaces those that end.

    Args:
        callers: lines to the caller, one a worker.
        work: what a worker does.
        bounds: what a worker may use.
        clock_seconds: how long one test may take by the clock.
        notes: what the caller should know of the sandbox.
    """

    def __init__(
        self,
        callers: Sequence[Connection],
        work: Work,
        bounds: Bounds,
        clock_seconds: float,
        notes: Sequence[str],
    ) -> None:
        self._callers = callers
        self._work = work
        self._bounds = bounds
        self._clock_seconds = clock_seconds
        self._notes = notes
        self._workers: dict[psutil.Process, Watched] = {}

    def run(self) -> None:
        """Return when the caller has hung up, or when no worker can go on."""
        for place in range(len(self._callers)):
            self._start(place, None)
        while self._workers:
            gone, _ = psutil.wait_procs(list(self._workers), timeout=LOOK_SECONDS)
            for process in gone:
                if not self._replace(self._workers.pop(process), process.returncode):
                    return self._end()
            for worker in self._workers.values():
                if self._has_left(worker.place):
                    worker.kill()
                else:
                    worker.keep_to(self._bounds, self._clock_seconds)

    def _replace(self, worker: Watched, status: int) -> bool:
        """Put another in place of one that has ended; False when none can go on."""
        worker.hear()
        os.close(worker.pipe)
        if self._has_left(worker.place):
            return True
        if status == SANDBOX_LOST or worker.step is None:
            return False
        self._start(worker.place, worker.ended(status))
        return True

    def _has_left(self, place: int) -> bool:
        """Whether the caller has hung up: it has nothing more to say on this line."""
        return self._callers[place].poll()

    def _start(self, place: int, last: Ended | None) -> None:
        ours, theirs = socket.socketpair()
        read, written = os.pipe()
        pid = os.fork()
        if not pid:
            ours.close()
            os.close(read)
            self._be_a_worker(place, last is not None, Connection(theirs.detach()), written)
        theirs.close()
        os.close(written)
        os.set_blocking(read, False)
        process = psutil.Process(pid)
        self._workers[process] = Watched(place, process, read, process.memory_info().rss)
        with ours, suppress(BrokenPipeError):  # nobody waits for it: it ends by itself
            send(self._callers[place], {"ended": last and asdict(last), "notes": self._notes})
            send_line(self._callers[place], ours)

    def _be_a_worker(self, place: int, again: bool, caller: Connection, pipe: int) -> NoReturn:
        """Work, and end; what is the supervisor's alone would tell others that it still lives."""
        status = 1
        try:
            for line in self._callers:
                line.close()
            for other in self._workers.values():
                os.close(other.pipe)
            self._work(place, again, caller, pipe)
        except (EOFError, BrokenPipeError):
            pass  # the caller has what it wanted, or is gone
        except SandboxLost:
            status = SANDBOX_LOST
        except Exception:
            traceback.print_exc()
        finally:
            os._exit(status)

    def _end(self) -> None:
        for worker in self._workers.values():
            worker.kill()
