"""The line to a student's process on this machine, and the one to its fork server: sockets."""

import json
import os
import secrets
import select
import socket
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from autograder.sandbox.backend import Closed, TimedOut
from autograder.sandbox.errors import SandboxLost
from autograder.sandbox.inside.frames import TOGETHER, read_frame

SECONDS_TO_FORK = 60  # once, the fork server first gathers its memory

A = TypeVar("A")
T = TypeVar("T", bytes, int)


class SocketChannel:
    """Sends and receives frames over a socket; see `backend.Channel`.

    Args:
        line: the socket.
        reply_bytes: a frame with more bytes of tensors than this is refused.
    """

    def __init__(self, line: socket.socket, reply_bytes: int) -> None:
        self._line = line
        self._line.setblocking(False)
        self._reply_bytes = reply_bytes
        self._ahead = bytearray()  # what has been read, and not been asked for yet
        self._readable, self._writable = select.poll(), select.poll()
        self._readable.register(line, select.POLLIN)
        self._writable.register(line, select.POLLOUT)

    def send(self, buffers: Sequence[memoryview], deadline: float) -> None:
        """Send what `write_frame` made."""
        for buffer in buffers:
            rest = buffer
            while rest.nbytes:
                try:
                    rest = rest[self._line.send(rest) :]
                except BlockingIOError:
                    _wait(self._writable, deadline)
                except OSError as error:
                    raise Closed from error

    def receive(self, deadline: float) -> tuple[dict[str, Any], memoryview]:
        """The next frame."""

        def fill(buffer: memoryview) -> None:
            while buffer.nbytes:
                if not self._ahead and buffer.nbytes < TOGETHER:
                    self._ahead += self._read(self._line.recv, TOGETHER, deadline)
                count = min(len(self._ahead), buffer.nbytes)
                if count:
                    buffer[:count] = self._ahead[:count]
                    del self._ahead[:count]
                else:
                    count = self._read(self._line.recv_into, buffer, deadline)
                buffer = buffer[count:]

        return read_frame(fill, self._reply_bytes)

    def wait(self, seconds: float) -> bool:
        """Whether the other side says something, or hangs up, within this time."""
        return bool(self._ahead or self._readable.poll(seconds * 1000))

    def has_unread(self) -> bool:
        """Whether the other side has said something that was not asked for."""
        if self._ahead or not self._readable.poll(0):
            return bool(self._ahead)
        try:
            return bool(self._line.recv(1, socket.MSG_PEEK))
        except OSError:
            return False  # hung up, which the next request will find

    def close(self) -> None:
        """Hang up."""
        self._line.close()

    def _read(self, read: Callable[[A], T], into: A, deadline: float) -> T:
        """What a read gives once there is something; never nothing."""
        while time.monotonic() < deadline:
            try:
                found = read(into)
            except BlockingIOError:
                _wait(self._readable, deadline)
                continue
            except OSError as error:
                raise Closed from error
            if not found:
                raise Closed
            return found
        raise TimedOut


def _wait(until: select.poll, deadline: float) -> None:
    left = deadline - time.monotonic()
    if left <= 0 or not until.poll(left * 1000):
        raise TimedOut


class Control:
    """A control socket: asks the fork server for processes, and hears how they end.

    Args:
        line: the socket, of whole messages.
    """

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self._exits: dict[int, int] = {}

    def fileno(self) -> int:
        """The socket's descriptor."""
        return self._line.fileno()

    def ask(self, allowance: dict[str, Any], line: socket.socket) -> tuple[int, int]:
        """Ask for a process at the other end of a line.

        Returns:
            its number and its pidfd.

        Raises:
            Closed: the fork server is gone, or cannot make one.
        """
        number = secrets.randbits(62)  # answers to a grading process that has died may be under way
        self._exits.clear()  # of processes that nobody asks about any more
        message = json.dumps({"number": number, "allowance": allowance}).encode()
        try:
            self._line.settimeout(SECONDS_TO_FORK)
            socket.send_fds(self._line, [message], [line.fileno()])
            while True:
                answer, descriptors = self._hear(SECONDS_TO_FORK)
                if answer.get("started") == number:
                    return number, descriptors[0]
                for late in descriptors:  # of a process that was given up on
                    os.close(late)
                if answer.get("failed") == number:
                    raise Closed(answer["why"])
        except OSError as error:
            raise Closed(str(error)) from error

    def status_of(self, number: int, seconds: float) -> int | None:
        """How a process ended, as `os.waitstatus_to_exitcode` says it; None when nobody says.

        Raises:
            SandboxLost: the fork server is gone, and has taken the process along.
        """
        deadline = time.monotonic() + seconds
        try:
            while number not in self._exits:
                self._hear(max(0.001, deadline - time.monotonic()))
        except TimeoutError:
            return None
        except (OSError, Closed) as error:
            raise SandboxLost(f"The sandbox is gone: {error}") from error
        return self._exits[number]

    def hear_first(self, seconds: float) -> tuple[dict[str, Any], list[int]]:
        """The fork server's first message, and what it brings.

        Raises:
            Closed: it ended without one.
            TimeoutError: it took too long.
        """
        return self._hear(seconds)

    def close(self) -> None:
        """Close the socket; the fork server ends when all are closed."""
        self._line.close()

    def _hear(self, seconds: float) -> tuple[dict[str, Any], list[int]]:
        self._line.settimeout(seconds)
        data, descriptors, _, _ = socket.recv_fds(self._line, 1 << 16, 1)
        if not data:
            raise Closed("the fork server has ended")
        message = json.loads(data)
        if "exited" in message:
            self._exits[message["exited"]] = message["status"]
        return message, descriptors
