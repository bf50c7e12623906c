"""The caller's side of the grading process: start it, hand it submissions, mend it."""

import os
import queue
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable
from contextlib import suppress
from multiprocessing.connection import Connection
from typing import Any

from autograder.course.errors import MachineError
from autograder.verdicts.messages import receive, send
from autograder.verdicts.submission import Submission
from autograder.verdicts.verdict import ExerciseVerdict

# How often a submission may be there first when the grading process ends, by its fault or not.
TRIES = 3


class GradingUnavailable(MachineError):
    """Nothing can be graded here; the text says why and what to do."""


class EndedEarly(GradingUnavailable):
    """The grading process ended before it was ready, without a word."""


class GraderCrashed(Exception):
    """The grading process failed on this submission, or ended over it too often."""


class Pool:
    """A grading process with a number of workers; safe to use from several threads.

    Args:
        setup: gives what it grades with, as `describe_setup` tells it; called, and gone through,
            each time that the process starts, and while it does.
        workers: submissions graded at once.

    Raises:
        CourseError: what `setup` raises.
        GradingUnavailable: the course's sandbox policy cannot be met, or the graders do not load.
    """

    def __init__(self, setup: Callable[[], Iterable[dict[str, Any]]], workers: int) -> None:
        if sys.platform == "win32":
            raise GradingUnavailable(
                "Windows has not what grading is made of. Install and run the autograder in WSL2, "
                "which is a Linux on the same machine."
            )
        self._setup = setup
        self._workers = workers
        self._mending = threading.Lock()
        self._generation = 0
        # None in the queue says that there will be no more workers.
        self._free: queue.Queue[tuple[Connection, int] | None] = queue.Queue()
        self._start()

    def grade(
        self, submission: Submission, exercises: list[str]
    ) -> tuple[list[ExerciseVerdict], float]:
        """Grade some exercises of a submission.

        Returns:
            the verdicts, and the seconds that grading took.

        Raises:
            GraderCrashed: the grading process failed on it, or ended over it too often.
        """
        task = {"submission": submission.to_json(), "exercises": exercises}
        broke = 0
        while broke < TRIES:
            free = self._free.get()
            if free is None:
                self._free.put(None)
                raise GradingUnavailable("The grading process ended and did not start again.")
            worker, generation = free
            if generation != self._generation:
                continue  # given back after its process was replaced
            try:
                send(worker, task)
                answer = receive(worker)
            except (EOFError, OSError):
                # Only the first to see it is to blame: the mending took the others' workers.
                broke += self._mend(generation)
                continue
            self._free.put((worker, generation))
            if "failed" in answer:
                raise GraderCrashed(answer["failed"].strip().splitlines()[-1])
            verdicts = [ExerciseVerdict.from_json(one) for one in answer["verdicts"]]
            return verdicts, answer["seconds"]
        raise GraderCrashed(f"the grading process ended over it {TRIES} times")

    def close(self) -> None:
        """End the grading process."""
        for worker in self._connections:
            worker.close()
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def _start(self) -> None:
        pairs = [socket.socketpair() for _ in range(self._workers)]
        theirs = [their.fileno() for _, their in pairs]
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "autograder.verdicts.server", *map(str, theirs)],
            pass_fds=theirs,
            stdin=subprocess.DEVNULL,
            start_new_session=True,  # one group to kill, and Ctrl-C reaches the caller alone
        )
        for _, their in pairs:
            their.close()
        self._connections = [Connection(ours.detach()) for ours, _ in pairs]
        try:
            for message in self._setup():
                with suppress(BrokenPipeError):  # it has refused by now, and says why
                    send(self._connections[0], message)
            for worker in self._connections:
                ready = receive(worker)
                if "refused" in ready:
                    raise GradingUnavailable(ready["refused"])
                self._free.put((worker, self._generation))
        except (EOFError, OSError) as error:
            self.close()
            raise EndedEarly(
                "The grading process ended while it started. Its message stands above; without "
                "one, something killed it, and the same command may go on."
            ) from error
        except BaseException:
            self.close()
            raise
        self.notes: list[str] = ready["notes"]

    def _mend(self, generation: int) -> bool:
        """Start the grading process anew, once for all threads that saw it break.

        Returns:
            whether this thread was the first to see it.
        """
        with self._mending:
            if generation != self._generation:
                return False
            # Killed, not closed: other threads wait for answers, and an end of file wakes them.
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            try:
                self._start_again()
            except GradingUnavailable:
                self._free.put(None)
                raise
            return True

    def _start_again(self) -> None:
        """Start, and start again when something ends the new process too while it starts."""
        for left in reversed(range(TRIES)):
            self._generation += 1  # workers of an attempt that failed are nobody's
            try:
                return self._start()
            except EndedEarly:
                if not left:
                    raise
