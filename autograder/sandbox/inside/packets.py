"""Packets: what crosses the two pipes between the trusted side and a container's gateway.

The gateway first sends `MAGIC`. Then each side sends packets: a kind, the number of the
submission's process that it is about (0: none), and up to 64 KiB. Neither side ever has more than
`WINDOW` bytes of data under way that the other has not taken, so that no side must hold more than
that, and news never waits behind data.
"""

import math
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

MAGIC = b"attention-autograder gateway\n"  # the same in every version, which HELLO then tells

HEADER = struct.Struct("<cII")
COUNT = struct.Struct("<Q")
STATUS = struct.Struct("<i")
SPENT = struct.Struct("<d?")
MOST_PAYLOAD = 1 << 16
WINDOW = 1 << 20

# The kinds, with what they carry and who sends them.
HELLO = b"h"  # gateway: JSON, what it and the packages beside it are
SET_UP = b"s"  # trusted side: JSON, how to start the fork server
READY = b"r"  # gateway: JSON, what holds the student's code
UNAVAILABLE = b"u"  # gateway: text, why nothing does
OPEN = b"o"  # trusted side: JSON, what a new process is allowed; gateway: it is there
FAILED = b"f"  # gateway: text, why it cannot be made
DATA = b"d"  # both: bytes to or from the process
TAKEN = b"t"  # both: a COUNT of bytes that have gone where they should
KILL = b"k"  # trusted side: end the process
PEAK = b"p"  # trusted side: ask for its most memory; gateway: a COUNT, 0 when it has ended
EFFORT = b"w"  # trusted side: ask for its SPENT; gateway: that, or nothing when it has ended
ENDED = b"e"  # gateway: its exit STATUS; the last packet about it
KINDS = frozenset(
    {HELLO, SET_UP, READY, UNAVAILABLE, OPEN, FAILED, DATA, TAKEN, KILL, PEAK, EFFORT, ENDED}
)


class Nonsense(Exception):
    """The other side sent what no gateway of this version sends."""


@dataclass(frozen=True)
class Packet:
    """One packet.

    Attributes:
        kind: one of `KINDS`.
        number: the process that it is about, or 0.
        payload: what it carries.
    """

    kind: bytes
    number: int
    payload: bytes

    def count(self) -> int:
        """The COUNT that it carries.

        Raises:
            Nonsense: it carries something else.
        """
        return self._whole(COUNT)[0]

    def status(self) -> int:
        """The STATUS that it carries.

        Raises:
            Nonsense: it carries something else.
        """
        return self._whole(STATUS)[0]

    def effort(self) -> tuple[float, bool]:
        """The SPENT that it carries: processor seconds, and whether more are wanted.

        Raises:
            Nonsense: it carries something else.
        """
        seconds, wants_more = self._whole(SPENT)
        if not 0 <= seconds < math.inf:
            raise Nonsense(f"{seconds} processor seconds")
        return seconds, wants_more

    def _whole(self, form: struct.Struct) -> tuple[Any, ...]:
        if len(self.payload) != form.size:
            raise Nonsense(f"a packet {self.kind!r} of {len(self.payload)} bytes")
        return form.unpack(self.payload)


def pack(kind: bytes, number: int = 0, payload: bytes | memoryview = b"") -> bytes:
    """A packet as it crosses."""
    return HEADER.pack(kind, number, len(payload)) + payload


class Unpacker:
    """Cuts what comes through a pipe into packets; holds no more than one of them."""

    def __init__(self) -> None:
        self._rest = bytearray()

    def feed(self, data: bytes) -> Iterator[Packet]:
        """The packets that are whole now.

        Raises:
            Nonsense: this is no packet.
        """
        self._rest += data
        while len(self._rest) >= HEADER.size:
            kind, number, size = HEADER.unpack_from(self._rest)
            if kind not in KINDS or size > MOST_PAYLOAD:
                raise Nonsense(f"a packet {kind!r} of {size} bytes")
            end = HEADER.size + size
            if len(self._rest) < end:
                return
            payload = bytes(self._rest[HEADER.size : end])
            del self._rest[:end]
            yield Packet(kind, number, payload)
