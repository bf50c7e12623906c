"""The student side's end of the line to the grading process.

It uses plain reads and writes, so that the code needs no right to use sockets.
"""

import os
from typing import Any

from .frames import TOGETHER, read_frame, write_frame

SOCKET = 3
NO_MEMORY = 137  # exit status of a process that has no memory left to answer with
MOST_REQUEST_BYTES = 1 << 40  # the trusted side may send what it likes; memory bounds it

_ahead = bytearray()  # what has been read, and not been asked for yet


def receive() -> tuple[dict[str, Any], memoryview]:
    """The next request; this process ends when the trusted side has gone."""
    return read_frame(_fill, MOST_REQUEST_BYTES)


def send(message: dict[str, Any], parts: list[memoryview] | None = None) -> None:
    """Send one frame."""
    for buffer in write_frame(message, parts or []):
        rest = buffer.cast("B") if buffer.nbytes else buffer
        while rest.nbytes:
            rest = rest[os.write(SOCKET, rest) :]


def _fill(buffer: memoryview) -> None:
    while buffer.nbytes:
        if not _ahead and buffer.nbytes < TOGETHER:
            _ahead.extend(os.read(SOCKET, TOGETHER))
            count = len(_ahead)
        else:
            count = len(_ahead) or os.readv(SOCKET, [buffer])
        if not count:
            os._exit(0)
        if _ahead:
            count = min(count, buffer.nbytes)
            buffer[:count] = _ahead[:count]
            del _ahead[:count]
        buffer = buffer[count:]
