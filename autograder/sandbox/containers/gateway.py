"""The trusted side's end of a container's gateway: a submission's process by way of two pipes.

Nothing here needs Linux. What comes through the pipe is believed only where it keeps to the
protocol; a gateway that does not, or is gone, is SandboxLost and is not asked again.
"""

import json
import os
import select
import time
from collections import deque
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any, NoReturn

from autograder.course.limits import Limits
from autograder.sandbox.backend import Closed, TimedOut
from autograder.sandbox.errors import SandboxLost
from autograder.sandbox.inside.frames import Violation, parse
from autograder.sandbox.inside.packets import (
    COUNT,
    DATA,
    EFFORT,
    ENDED,
    FAILED,
    HELLO,
    KILL,
    MAGIC,
    MOST_PAYLOAD,
    OPEN,
    PEAK,
    READY,
    SET_UP,
    TAKEN,
    UNAVAILABLE,
    WINDOW,
    Nonsense,
    Packet,
    Unpacker,
    pack,
)
from autograder.sandbox.launch import allowance_of

ANSWER_SECONDS = 10  # for what takes the gateway a moment


@dataclass
class Guest:
    """A submission's process, as it is known here.

    Attributes:
        number: what the gateway calls it.
        unread: what it has said.
        held: bytes in `unread`.
        taken: bytes read since the gateway was last told.
        window: bytes that the gateway is ready for.
        status: its exit status, when it has ended.
        killed: whether it has been ended from here; what it says no longer counts.
    """

    number: int
    unread: deque[memoryview] = field(default_factory=deque)
    held: int = 0
    taken: int = 0
    window: int = WINDOW
    status: int | None = None
    killed: bool = False


class Gateway:
    """Talks to a container's gateway, which has one process at a time.

    Args:
        incoming: the pipe from it.
        outgoing: the pipe to it.
        last_words: what the container's engine says when the container has ended.
    """

    def __init__(self, incoming: int, outgoing: int, last_words: Callable[[], str]) -> None:
        self._incoming, self._outgoing = incoming, outgoing
        for pipe in (incoming, outgoing):
            os.set_blocking(pipe, False)
        self._last_words = last_words
        self._unpacker = Unpacker()
        self._greeting = b""
        self._leaving = bytearray()
        self._awaited: tuple[bytes, ...] = ()
        self._answer: Packet | None = None
        self._guest: Guest | None = None
        self._number = 0
        self._lost = ""
        self._closed = False

    def greet(self, deadline: float) -> dict[str, Any]:
        """What the gateway says of itself.

        Raises:
            SandboxLost: it is none.
            TimedOut: it says nothing.
        """
        self._awaited = (HELLO,)
        return self._json_of(self._await(deadline))

    def set_up(self, limits: Limits, environment: dict[str, str]) -> None:
        """Have the fork server started; `ready` waits for it."""
        message = {"allowance": asdict(allowance_of(limits)), "environment": environment}
        self._say(SET_UP, 0, json.dumps(message).encode())
        self._awaited = (READY, UNAVAILABLE)

    def ready(self, deadline: float) -> tuple[dict[str, Any], str]:
        """What the gateway says when the fork server is ready; or nothing, and why it is not.

        Raises:
            SandboxLost: it is gone.
            TimedOut: it says nothing.
        """
        answer = self._await(deadline)
        if answer.kind == UNAVAILABLE:
            return {}, answer.payload.decode(errors="replace")
        return self._json_of(answer), ""

    def open(self, limits: Limits) -> Guest:
        """A fresh process; one that is still there is ended before."""
        if self._guest is not None:
            self.end(self._guest)
        self._number += 1
        guest = self._guest = Guest(self._number)
        allowance = json.dumps(asdict(allowance_of(limits))).encode()
        answer = self._ask(OPEN, guest, (OPEN, FAILED), allowance)
        if answer is None or answer.kind == FAILED:
            self.lose("it cannot make a process" + (f": {_text(answer)}" if answer else ""))
        return guest

    def send(self, guest: Guest, data: memoryview, deadline: float) -> int:
        """Send the beginning of the data; how many bytes that was.

        Raises:
            Closed: the process has ended.
            TimedOut: nobody takes it.
        """
        while not guest.window and guest.status is None:
            self.turn(deadline)
        if guest.status is not None:
            raise Closed
        count = min(data.nbytes, guest.window, MOST_PAYLOAD)
        guest.window -= count
        self._say(DATA, guest.number, data[:count])
        while self._leaving:
            self.turn(deadline)
        return count

    def read_into(self, guest: Guest, buffer: memoryview, deadline: float) -> int:
        """Read some of what the process has said; how many bytes that was.

        Raises:
            Closed: the process has ended, and all is read.
            TimedOut: it says nothing.
        """
        if deadline <= time.monotonic():
            raise TimedOut
        while not guest.unread:
            if guest.status is not None:
                raise Closed
            self.turn(deadline)
        piece = guest.unread.popleft()
        count = min(piece.nbytes, buffer.nbytes)
        buffer[:count] = piece[:count]
        if piece.nbytes > count:
            guest.unread.appendleft(piece[count:])
        guest.held -= count
        guest.taken += count
        if guest.taken >= WINDOW // 4 and guest.status is None:
            self._say(TAKEN, guest.number, COUNT.pack(guest.taken))
            guest.taken = 0
        return count

    def wait(self, guest: Guest, seconds: float) -> bool:
        """Whether the process says something, or ends, within this time."""
        deadline = time.monotonic() + seconds
        try:
            while not guest.unread and guest.status is None:
                self.turn(deadline)
        except TimedOut:
            return False
        return True

    def has_unread(self, guest: Guest) -> bool:
        """Whether the process has said something more; looks without waiting."""
        while self._poll(0):
            pass
        return bool(guest.unread)

    def peak_bytes(self, guest: Guest) -> int:
        """The most memory that the process has held; 0 when it has ended."""
        answer = self._ask(PEAK, guest, (PEAK,))
        try:
            return answer.count() if answer else 0
        except Nonsense as error:
            self.lose(str(error))

    def effort(self, guest: Guest) -> tuple[float, bool] | None:
        """The processor seconds it has used, and whether it wants more; None when it has ended."""
        answer = self._ask(EFFORT, guest, (EFFORT,))
        try:
            return answer.effort() if answer and answer.payload else None
        except Nonsense as error:
            self.lose(str(error))

    def end(self, guest: Guest) -> None:
        """End the process, and wait until it has; nothing where the gateway is lost anyway."""
        if guest.status is not None or self._lost:
            return
        guest.killed = True
        guest.unread.clear()
        self._say(KILL, guest.number)
        deadline = time.monotonic() + ANSWER_SECONDS
        try:
            while guest.status is None:
                self.turn(deadline)
        except TimedOut:
            self.lose(f"it has not ended a process within {ANSWER_SECONDS} seconds")

    def turn(self, deadline: float) -> None:
        """Wait until something can be read or written, and do that.

        Raises:
            TimedOut: nothing can before the deadline.
            SandboxLost: the gateway is gone, or speaks nonsense.
        """
        left = deadline - time.monotonic()
        if left <= 0:
            raise TimedOut
        self._poll(left)

    def lose(self, why: str) -> NoReturn:
        """Give the gateway up.

        Raises:
            SandboxLost: always.
        """
        self._lost = self._lost or f"The sandbox's container is lost: {why}"
        raise SandboxLost(self._lost)

    def close(self) -> None:
        """Hang up, which ends the container; may be repeated."""
        if not self._closed:
            self._closed, self._lost = True, "The sandbox has been closed"
            for pipe in (self._incoming, self._outgoing):
                os.close(pipe)

    def _poll(self, seconds: float) -> bool:
        """Read and write what can be within the time; whether anything was."""
        if self._lost:
            self.lose(self._lost)
        poll = select.poll()
        poll.register(self._incoming, select.POLLIN)
        if self._leaving:
            poll.register(self._outgoing, select.POLLOUT)
        ready = [descriptor for descriptor, _ in poll.poll(seconds * 1000)]
        try:
            if self._outgoing in ready:
                del self._leaving[: os.write(self._outgoing, self._leaving)]
            if self._incoming in ready:
                self._read()
        except BlockingIOError:
            pass
        except Nonsense as error:
            self.lose(f"it sent {error}")
        except OSError as error:
            self.lose(self._last_words() or str(error))
        return bool(ready)

    def _read(self) -> None:
        data = os.read(self._incoming, 2 * MOST_PAYLOAD)
        if not data:
            self.lose(self._last_words() or "it has ended without a word")
        if len(self._greeting) < len(MAGIC):
            self._greeting += data
            greeting, data = self._greeting[: len(MAGIC)], self._greeting[len(MAGIC) :]
            if not MAGIC.startswith(greeting):
                raise Nonsense(f"{greeting!r}, which no gateway says")
        for packet in self._unpacker.feed(data):
            self._take(packet)

    def _take(self, packet: Packet) -> None:
        """Take note of a packet.

        Raises:
            Nonsense: there is no reason for it.
        """
        guest = self._guest
        if packet.kind in self._awaited and packet.number == self._number:
            self._answer, self._awaited = packet, ()
        elif guest is None or guest.status is not None or packet.number != guest.number:
            raise Nonsense(f"a packet {packet.kind!r} out of turn")
        elif packet.kind == DATA and packet.payload:
            guest.held += len(packet.payload)
            if guest.held + guest.taken > WINDOW:
                raise Nonsense("more data than was asked for")
            if not guest.killed:
                guest.unread.append(memoryview(packet.payload))
        elif packet.kind == TAKEN and 0 < packet.count() <= WINDOW - guest.window:
            guest.window += packet.count()
        elif packet.kind == ENDED:
            guest.status = packet.status()
        else:
            raise Nonsense(f"a packet {packet.kind!r} out of turn")

    def _say(self, kind: bytes, number: int, payload: bytes | memoryview = b"") -> None:
        self._leaving += pack(kind, number, payload)

    def _ask(
        self, kind: bytes, guest: Guest, answers: tuple[bytes, ...], payload: bytes = b""
    ) -> Packet | None:
        """The gateway's answer about a process; None when that has ended before."""
        self._say(kind, guest.number, payload)
        self._awaited = answers
        deadline = time.monotonic() + ANSWER_SECONDS
        try:
            while self._awaited and guest.status is None:
                self.turn(deadline)
        except TimedOut:
            self.lose(f"it has not answered within {ANSWER_SECONDS} seconds")
        answer, self._answer, self._awaited = self._answer, None, ()
        return answer

    def _await(self, deadline: float) -> Packet:
        while self._answer is None:
            self.turn(deadline)
        answer, self._answer = self._answer, None
        return answer

    def _json_of(self, packet: Packet) -> dict[str, Any]:
        try:
            return parse(packet.payload)
        except Violation as error:
            self.lose(f"it sent {error}")


def _text(packet: Packet) -> str:
    return packet.payload.decode(errors="replace")
