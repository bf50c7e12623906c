"""A grading worker as its supervisor sees it: what it is on, what it uses, how it ended."""

import json
import os
import time
from contextlib import suppress
from dataclasses import dataclass, field

import psutil

from autograder.course.limits import MIB, Bounds
from autograder.verdicts.messages import Ended


@dataclass(frozen=True)
class Step:
    """What a worker is on.

    Attributes:
        exercise: the exercise; empty where it is on a whole submission, or on none.
        what: what of it, such as a hidden test; empty where it waits for a submission.
    """

    exercise: str = ""
    what: str = ""

    def tell(self, pipe: int) -> None:
        """Tell the supervisor; without one, the worker ends, and its caller hears that."""
        try:
            os.write(pipe, json.dumps(vars(self)).encode() + b"\n")
        except BrokenPipeError:
            os._exit(1)


@dataclass
class Watched:
    """A worker that is watched.

    Attributes:
        place: the number of the line that its caller knows it by.
        process: its process.
        pipe: where it tells its steps.
        held_first: bytes that it held when it started.
        step: what it is on; None until it is ready.
        submissions: how many it has begun.
        excess: how it was ended for what it used; None where it keeps to its bounds.
    """

    place: int
    process: psutil.Process
    pipe: int
    held_first: int
    step: Step | None = None
    submissions: int = 0
    excess: Ended | None = None
    _half: bytes = b""
    _worked_before: float = 0.0
    _since: float = field(default_factory=time.monotonic)

    def keep_to(self, bounds: Bounds, clock_seconds: float) -> None:
        """End it if it has gone past its bounds.

        Args:
            bounds: what it may use.
            clock_seconds: how long one test may take by the clock, whatever it waits for.
        """
        with suppress(psutil.NoSuchProcess):
            is_new = self.hear()  # first, so that what is measured is of this step or before it
            with self.process.oneshot():
                times, held = self.process.cpu_times(), self.process.memory_info().rss
            worked = times.user + times.system
            if is_new:
                self._worked_before, self._since = worked, time.monotonic()
            if held - self.held_first > bounds.memory_bytes:
                # Earlier submissions may have left most of it there: a fresh worker will tell.
                is_certain = self.submissions == 1
                self._exceed(f"held more than {bounds.memory_bytes / MIB:g} MB", is_certain)
            elif self.is_at_work and worked - self._worked_before > bounds.test_seconds:
                self._exceed(f"took more than {bounds.test_seconds:g} processor seconds")
            elif self.is_at_work and time.monotonic() - self._since > clock_seconds:
                self._exceed(f"was not over after {clock_seconds:g} seconds")

    def hear(self) -> bool:
        """Take note of what it has told since; whether that was anything."""
        written = self._half
        with suppress(BlockingIOError):
            while more := os.read(self.pipe, 1 << 16):
                written += more
        *lines, self._half = written.split(b"\n")
        for line in lines:
            was_at_work, self.step = self.is_at_work, Step(**json.loads(line))
            self.submissions += self.is_at_work and not was_at_work
        return bool(lines)

    @property
    def is_at_work(self) -> bool:
        """Whether it is on a submission."""
        return self.step is not None and bool(self.step.what)

    def ended(self, status: int) -> Ended:
        """How it ended.

        Args:
            status: its exit status; negative for a signal.
        """
        how = f"signal {-status}" if status < 0 else f"status {status}"
        return self.excess or self._ended(f"ended its process ({how})", False)

    def kill(self) -> None:
        """End it, and what it has started."""
        with suppress(psutil.NoSuchProcess):
            self.process.suspend()
            for one in (*self.process.children(recursive=True), self.process):
                with suppress(psutil.NoSuchProcess):
                    one.kill()

    def _exceed(self, why: str, is_certain: bool = True) -> None:
        self.kill()
        self.excess = self._ended(why, is_certain)

    def _ended(self, why: str, is_certain: bool) -> Ended:
        step = self.step or Step()
        return Ended(step.exercise, step.what or "reading it", why, is_certain)
