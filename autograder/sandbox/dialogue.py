"""Requests to a submission's process and their answers, within the time there is."""

import secrets
import time
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from autograder.checks.kit.errors import StudentDied
from autograder.sandbox.backend import Channel, Closed, Process, TimedOut
from autograder.sandbox.budget import Budget
from autograder.sandbox.inside.failure import OUT_OF_MEMORY
from autograder.sandbox.inside.frames import Violation, framed, written

PATIENCE = 4  # times as long as allowed, for a process that waits for a processor
AT_ONCE = 1 / 8  # of the time allowed, before the processor's clock is first looked at
REST = 1 / 2  # of the time allowed, for what follows a first word that came late
LOOK_SECONDS = 0.05
MOST_AHEAD = 1 << 15  # bytes sent ahead at once; a socket takes more, so that neither side waits

Reply = tuple[dict[str, Any], memoryview]
Asked = tuple[bytes, bytes]
"""A request: its JSON, but for its id, and the bytes that come along."""


class Answerer(Protocol):
    """Answers what student code asks while it is waited for."""

    def answer(
        self, question: dict[str, Any], blob: memoryview, seconds: float
    ) -> tuple[list[memoryview], float]:
        """The frame of the answer, and the processor seconds that it took.

        Args:
            question: what is asked; nothing of it has been looked at.
            blob: the bytes that came along.
            seconds: the processor time that is left for it.

        Raises:
            TimedOut: it takes longer.
            Violation: it cannot be passed on.
        """


class Dialogue:
    """Asks one submission's process, and ends it when it does not answer as it should.

    A turn costs more than most requests: both processes wake up with caches that the other has
    filled. So requests that are sure to come, such as the cells of a notebook, can be told of, and
    go out together. Their answers are taken one by one, each within its own time.

    Args:
        process: the process.
        channel: the line to it.
        budget: the time left to the submission.
        answerer: answers what the process asks on the way to an answer of its own; None where it
            may ask nothing. Its time counts as the process's.

    Attributes:
        death: why the process ended, or None while it lives.
    """

    def __init__(
        self, process: Process, channel: Channel, budget: Budget, answerer: Answerer | None = None
    ) -> None:
        self._process = process
        self._channel = channel
        self._budget = budget
        self._answerer = answerer
        self._expected: deque[Asked] = deque()
        self._ahead: deque[str] = deque()  # ids of expected requests that have been sent
        self.death: StudentDied | None = None

    def expect(self, requests: Sequence[Asked]) -> None:
        """Tell what is asked next, in this order; the code may see all of it before it answers.

        Raises:
            RuntimeError: something is expected already; `ask` raises it for anything else.
        """
        if self.death is not None:
            return
        if self._expected:
            raise RuntimeError("what was to be asked next has not been asked yet")
        self._expected.extend(requests)

    def ask(
        self,
        request: Mapping[str, Any],
        seconds: float,
        what: str,
        parts: Sequence[memoryview] = (),
    ) -> Reply:
        """The one answer to a request.

        Args:
            request: its JSON.
            seconds: how long the answer may take.
            what: what to call the request when the process dies over it.
            parts: the bytes that come along.

        Raises:
            StudentDied: the process has ended, now or earlier.
            RuntimeError: something else was to be asked next.
        """
        if self.death is not None:
            raise self.death
        if self._budget.left <= 0:
            raise self.die("timeout", self._lateness(seconds, 0.0, what))
        text = written(request)
        if self._expected and self._expected.popleft() != (text, b"".join(parts)):
            raise RuntimeError(f"{what} is not what was to be asked next")
        if not self._ahead and self._channel.has_unread():
            raise self.die("protocol", "an answer that nobody asked for")
        allowed = min(seconds, self._budget.left)
        with self._budget.running(at_most=allowed):
            deadline = time.monotonic() + allowed
            try:
                number = self._ahead.popleft() if self._ahead else self._send(text, parts, deadline)
                reply, blob = self._hear(allowed, deadline)
                if self._answerer is not None and "ask" in reply:
                    reply, blob = self._converse(self._answerer, reply, blob, allowed, deadline)
            except TimedOut:
                raise self.die("timeout", self._lateness(seconds, allowed, what)) from None
            except Closed:
                raise self.bury() from None
            except Violation as error:
                raise self.die("protocol", str(error)) from error
        if reply.get("id") != number:
            raise self.die("protocol", "an answer to another question")
        return reply, blob

    def die(self, reason: str, detail: str) -> StudentDied:
        """End the process, for this reason."""
        self.death = StudentDied(reason, detail)
        self._process.kill()
        self._channel.close()
        return self.death

    def bury(self) -> StudentDied:
        """The process has ended by itself: find out how."""
        why = self._process.why_it_ended()
        return self.die(why.reason, why.detail)

    def close(self) -> None:
        """End the process; may be repeated."""
        self._process.kill()
        self._channel.close()
        if self.death is None:
            self.death = StudentDied("crashed", "the submission's process was closed")

    def _send(self, text: bytes, parts: Sequence[memoryview], deadline: float) -> str:
        """Send a request, and of what is expected after it as much as fits."""
        number = secrets.token_hex(8)
        buffers = framed(_numbered(text, number), parts)
        room = MOST_AHEAD
        for later, blob in self._expected:
            room -= len(later) + len(blob)
            if room < 0:
                break
            self._ahead.append(secrets.token_hex(8))
            buffers += framed(_numbered(later, self._ahead[-1]), [memoryview(blob)])
        self._channel.send([memoryview(b"".join(buffers))] if self._ahead else buffers, deadline)
        return number

    def _hear(self, seconds: float, deadline: float) -> Reply:
        """The next frame."""
        self._await_word(seconds, deadline)
        rest = time.monotonic() + seconds * REST
        return self._channel.receive(max(deadline, rest))

    def _converse(
        self,
        answerer: Answerer,
        question: dict[str, Any],
        blob: memoryview,
        seconds: float,
        deadline: float,
    ) -> Reply:
        """Answer one question after the other until what comes is none.

        Past the deadline, late is who has had the time on a processor, the answers' time included.
        While an answer is made, the clock stands still: a busy machine that keeps us waiting for
        our own child makes nobody late.

        Raises:
            TimedOut: all of it takes too long.
        """
        last = deadline + (PATIENCE - 1) * seconds
        begun, ours = self._effort(), 0.0
        while "ask" in question:
            left = seconds - ours
            if (now := time.monotonic()) > deadline:
                left -= self._effort() - begun
            if left <= 0 or now > last:
                raise TimedOut
            before = time.thread_time()
            answer, took = answerer.answer(question, blob, left)
            if took:  # what is refused costs no processor time by which it could be bounded
                made = time.monotonic() - now
                deadline, last = deadline + made, last + made
            self._channel.send(answer, last)
            ours += took + time.thread_time() - before
            question, blob = self._hear(left, deadline)
        return question, blob

    def _effort(self) -> float:
        """Processor seconds that the process has used; 0 where nothing can be seen of it."""
        try:
            return self._process.effort()[0]
        except (ProcessLookupError, PermissionError):
            return 0.0

    def _await_word(self, seconds: float, deadline: float) -> None:
        """Wait for the first word of an answer; a busy machine makes nobody late.

        Late is who has had the time on a processor, or wants none when the time is over. A process
        that was kept waiting for one gets up to `PATIENCE` times as long. The processor's clock is
        first read after a part of the time, so that quick answers cost nothing.

        Raises:
            TimedOut: there is none in time.
        """
        last = deadline + (PATIENCE - 1) * seconds
        at_once = seconds * AT_ONCE
        if self._hears(at_once):
            return
        try:
            before, _ = self._process.effort()
            pause = max(deadline - time.monotonic(), LOOK_SECONDS)
            while not self._hears(pause):
                worked, wants_more = self._process.effort()
                left = seconds - at_once - (worked - before)
                pause = min(max(left, LOOK_SECONDS), last - time.monotonic())
                if not wants_more or left <= 0 or pause <= 0:
                    raise TimedOut
        except (ProcessLookupError, PermissionError):
            return  # it has ended; or nothing can be seen of it, and the deadline holds as it is

    def _hears(self, seconds: float) -> bool:
        """Whether a word comes within this time; of a watched process, its memory is looked at.

        Raises:
            StudentDied: it holds too much.
        """
        if not self._process.is_watched:
            return self._channel.wait(seconds)
        last = time.monotonic() + seconds
        while not self._channel.wait(max(0.0, min(LOOK_SECONDS, last - time.monotonic()))):
            try:
                if self._process.holds_too_much():
                    raise self.die(OUT_OF_MEMORY, "more than it may hold")
            except ProcessLookupError:
                return True  # it has ended, which whoever reads next will find
            if time.monotonic() >= last:
                return False
        return True

    def _lateness(self, seconds: float, allowed: float, what: str) -> str:
        if allowed < seconds:
            return f"the submission's {self._budget.total:g} seconds are used up"
        return f"more than {seconds:g} seconds for {what}"


def _numbered(text: bytes, number: str) -> bytes:
    return b'{"id":"%s",%s' % (number.encode(), text[1:])
