"""Frames: how one message crosses the socket between the trusted side and the student's process.

A frame is a header (magic, bytes of JSON, bytes of blob), the JSON of one object, and the blob,
which holds the content of tensors. Nothing is ever unpickled.
"""

import json
import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

MAGIC = b"agw1"
HEADER = struct.Struct("<4sIQ")
MOST_JSON_BYTES = 2 << 20
TOGETHER = 1 << 16  # bytes of tensors up to which a frame is sent, and read, in one piece


class Violation(Exception):
    """The other side sent something that the protocol does not allow."""


def write_frame(message: dict[str, Any], parts: Sequence[memoryview] = ()) -> list[memoryview]:
    """The buffers to send, in order.

    Raises:
        ValueError: the JSON is too long, or holds what JSON cannot say.
    """
    return framed(written(message), parts)


def written(message: Mapping[str, Any]) -> bytes:
    """A message as JSON.

    Raises:
        ValueError: it holds what JSON cannot say.
    """
    return _ENCODER.encode(message).encode()


def framed(text: bytes, parts: Sequence[memoryview]) -> list[memoryview]:
    """The buffers of a frame whose JSON is written already.

    Raises:
        ValueError: the JSON is too long.
    """
    if len(text) > MOST_JSON_BYTES:
        raise ValueError(f"a value of more than {MOST_JSON_BYTES >> 20} MiB besides its tensors")
    size = sum(part.nbytes for part in parts)
    header = HEADER.pack(MAGIC, len(text), size) + text
    if size <= TOGETHER:  # one system call, and the other side wakes up once
        return [memoryview(b"".join([header, *parts]))]
    return [memoryview(header), *parts]


def read_frame(
    fill: Callable[[memoryview], None], most_blob_bytes: int
) -> tuple[dict[str, Any], memoryview]:
    """Read one frame.

    Args:
        fill: reads from the socket until the buffer is full.
        most_blob_bytes: a longer blob is refused before anything of it is read.

    Raises:
        Violation: what came is no frame.
    """
    header = memoryview(bytearray(HEADER.size))
    fill(header)
    magic, json_bytes, blob_bytes = HEADER.unpack(header)
    if magic != MAGIC:
        raise Violation("not a frame")
    if json_bytes > MOST_JSON_BYTES or blob_bytes > most_blob_bytes:
        raise Violation("a frame larger than is allowed")
    text = bytearray(json_bytes)
    fill(memoryview(text))
    blob = _room_for(blob_bytes)
    fill(blob)
    return parse(text), blob


def _room_for(size: int) -> memoryview:
    """Bytes to fill; many are not zeroed: what is claimed and never sent takes no memory."""
    if size <= TOGETHER:
        return memoryview(bytearray(size))
    import numpy as np  # here, so that a fork server is launched without waiting for it

    return np.empty(size, np.uint8).data


def parse(text: bytes | bytearray) -> dict[str, Any]:
    """The one JSON object that the text holds.

    Raises:
        Violation: it holds something else.
    """
    try:
        # Decoded here: json would take UTF-16 too, and UTF-8 that spells half a surrogate pair.
        message = _DECODER.decode(text.decode())
    except (ValueError, RecursionError) as error:
        raise Violation("not JSON") from error
    if type(message) is not dict:
        raise Violation("not a JSON object")
    return message


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


# json.dumps and json.loads would make these anew for every frame.
_ENCODER = json.JSONEncoder(allow_nan=False, separators=(",", ":"))
_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)
