"""A student's process that answers whatever it likes: a thread at the other end of a socket."""

import socket
import threading
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from json_pieces import as_bytes

from autograder.checks.kit.errors import StudentDied
from autograder.course.limits import Limits
from autograder.sandbox.budget import Budget
from autograder.sandbox.channel import SocketChannel
from autograder.sandbox.inside.frames import HEADER, MAGIC, read_frame
from autograder.sandbox.worker import Worker

LIMITS = Limits(call_seconds=0.05, cell_seconds=0.05, submission_seconds=1, reply_bytes=1 << 20)


@dataclass(frozen=True)
class Forgery:
    """What the peer sends when it is asked.

    Attributes:
        reply: the JSON; `id` in it becomes the request's own unless it is there already.
        blob: the bytes after it.
        raw: sent in the place of a frame, if not None.
        json_bytes: what the header claims beyond the JSON's length.
        blob_bytes: what the header claims beyond the blob's length.
        stays: whether the peer then waits in silence; else it hangs up.
    """

    reply: Any
    blob: bytes = b""
    raw: bytes | None = None
    json_bytes: int = 0
    blob_bytes: int = 0
    stays: bool = False

    def frame(self, number: str) -> bytes:
        """The bytes on the line, in answer to the request of this number."""
        if self.raw is not None:
            return self.raw
        reply = self.reply
        if type(reply) is dict:
            reply = {"id": number} | reply
        text = as_bytes(reply)
        lengths = len(text) + self.json_bytes, len(self.blob) + self.blob_bytes
        claimed = max(0, lengths[0]) % 2**32, max(0, lengths[1]) % 2**64
        return HEADER.pack(MAGIC, *claimed) + text + self.blob


class Ended:
    """The peer's process as the worker sees it from outside: it has ended, whenever asked."""

    def kill(self) -> None:
        """Nothing is left to end."""

    def why_it_ended(self) -> StudentDied:
        """As a process that exits by itself."""
        return StudentDied("crashed", "exited with status 0")

    def peak_bytes(self) -> int:
        """As a process that is gone."""
        raise ProcessLookupError

    is_watched = False

    def holds_too_much(self) -> bool:
        """As a process that a limit of the kernel's holds."""
        return False

    def effort(self) -> tuple[float, bool]:
        """It has ended, so that nothing can be seen of it."""
        raise ProcessLookupError


class HostilePeer:
    """A worker whose first request is answered by a forgery.

    Args:
        forgery: the answer.
        reply_bytes: the longest blob that the worker takes.
    """

    def __init__(self, forgery: Forgery, reply_bytes: int = LIMITS.reply_bytes) -> None:
        self._forgery = forgery
        ours, self._theirs = socket.socketpair()
        channel = SocketChannel(ours, reply_bytes)
        self.worker = Worker(Ended(), channel, LIMITS, Budget(LIMITS.submission_seconds))
        self._thread = threading.Thread(target=self._answer)

    def __enter__(self) -> Worker:
        self._thread.start()
        return self.worker

    def __exit__(
        self, kind: type | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.worker.close()  # the peer sees the end of the line, and ends too
        self._thread.join(10)
        self._theirs.close()
        assert not self._thread.is_alive()

    def _answer(self) -> None:
        try:
            request, _ = read_frame(self._fill, 1 << 30)
            self._theirs.sendall(self._forgery.frame(request["id"]))
            if not self._forgery.stays:
                self._theirs.shutdown(socket.SHUT_RDWR)
            while self._theirs.recv(1 << 16):
                pass
        except OSError:
            pass

    def _fill(self, buffer: memoryview) -> None:
        while buffer.nbytes:
            count = self._theirs.recv_into(buffer)
            if not count:
                raise ConnectionError
            buffer = buffer[count:]
