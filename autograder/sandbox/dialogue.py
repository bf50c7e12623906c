"""Requests to a submission's process and their answers, within the time there is."""

import secrets
import time
from collections import deque
from collections.abc import Mapping, Sequence
from typing import Any

from autograder.checks.errors import StudentDied
from autograder.sandbox.backend import Channel, Closed, Process, TimedOut
from autograder.sandbox.budget import Budget
from autograder.sandbox.foresight import MOST_BYTES, Asked, Guide
from autograder.sandbox.inside.frames import Violation, framed, written

Reply = tuple[dict[str, Any], memoryview]


class Unforeseen(Exception):
    """The process died of a request that was sent ahead, and that nobody made in the end."""


class Dialogue:
    """Asks one submission's process, and ends it when it does not answer as it should.

    Args:
        process: the process.
        channel: the line to it.
        budget: the time left to the submission.

    Attributes:
        death: why the process ended, or None while it lives.
        is_death_unforeseen: whether it ended over a request that nobody made.
    """

    def __init__(self, process: Process, channel: Channel, budget: Budget) -> None:
        self._process = process
        self._channel = channel
        self._budget = budget
        self._guide: Guide | None = None
        self._ahead: deque[tuple[Asked, str]] = deque()  # sent, and not asked for yet
        self.death: StudentDied | None = None
        self.is_death_unforeseen = False

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
            parts: the bytes of its tensors.

        Raises:
            StudentDied: the process has ended, now or earlier.
            Unforeseen: it has ended over something else.
        """
        if self.death is not None:
            raise self.death
        if self._budget.left <= 0:
            raise self.die("timeout", self._lateness(seconds, 0.0, what))
        text = written(request)
        if len(text) + sum(part.nbytes for part in parts) > MOST_BYTES:
            self.end_scene(seconds)
        if self._guide is None:
            number = self._send(text, parts, [], seconds, what)
        else:
            number = self._send_guided((text, b"".join(parts)), self._guide, seconds, what)
        return self._receive(number, seconds, what)

    def begin_scene(self, guide: Guide) -> None:
        """From now on, send requests ahead as the guide says."""
        self._guide = guide

    def end_scene(self, seconds: float) -> None:
        """Send nothing ahead any more, and drop the answers to what was.

        Args:
            seconds: how long each of them may take.

        Raises:
            Unforeseen: the process has ended over one of them.
        """
        self._guide = None
        self._drop(seconds)

    def die(self, reason: str, detail: str) -> StudentDied:
        """End the process, for this reason."""
        self.death = StudentDied(reason, detail)
        self._ahead.clear()
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

    def _send_guided(self, asked: Asked, guide: Guide, seconds: float, what: str) -> str:
        """Send a request and what is likely to follow it, unless it has been sent already."""
        following = guide.after(asked)
        if self._ahead and self._ahead[0][0] == asked:
            return self._ahead.popleft()[1]
        self._drop(seconds)
        text, blob = asked
        return self._send(text, [memoryview(blob)], following, seconds, what)

    def _send(
        self,
        text: bytes,
        parts: Sequence[memoryview],
        following: Sequence[Asked],
        seconds: float,
        what: str,
    ) -> str:
        if self._channel.has_unread():
            raise self.die("protocol", "an answer that nobody asked for")
        number = secrets.token_hex(8)
        buffers = framed(_numbered(text, number), parts)
        for asked in following:
            later = secrets.token_hex(8)
            buffers += framed(_numbered(asked[0], later), [memoryview(asked[1])])
            self._ahead.append((asked, later))
        if following:
            buffers = [memoryview(b"".join(buffers))]
        allowed = min(seconds, self._budget.left)
        with self._budget.running():
            try:
                self._channel.send(buffers, time.monotonic() + allowed)
            except TimedOut:
                raise self.die("timeout", self._lateness(seconds, allowed, what)) from None
            except Closed:
                raise self.bury() from None
        return number

    def _receive(self, number: str, seconds: float, what: str) -> Reply:
        allowed = min(seconds, self._budget.left)
        with self._budget.running():
            try:
                reply, blob = self._channel.receive(time.monotonic() + allowed)
            except TimedOut:
                raise self.die("timeout", self._lateness(seconds, allowed, what)) from None
            except Closed:
                raise self.bury() from None
            except Violation as error:
                raise self.die("protocol", str(error)) from error
        if reply.get("id") != number:
            raise self.die("protocol", "an answer to another question")
        return reply, blob

    def _drop(self, seconds: float) -> None:
        while self._ahead:
            _, number = self._ahead.popleft()
            try:
                self._receive(number, seconds, "what was sent ahead")
            except StudentDied as died:
                self.is_death_unforeseen = True
                raise Unforeseen from died

    def _lateness(self, seconds: float, allowed: float, what: str) -> str:
        if allowed < seconds:
            return f"the submission's {self._budget.total:g} seconds are used up"
        return f"more than {seconds:g} seconds for {what}"


def _numbered(text: bytes, number: str) -> bytes:
    return b'{"id":"%s",%s' % (number.encode(), text[1:])
