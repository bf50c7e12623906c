"""Whatever bytes a process sends, reading a frame gives one JSON object or refuses."""

from collections.abc import Callable

from hypothesis import given
from hypothesis import strategies as st
from json_pieces import JUNK, RAW, as_bytes, mangled
from trying import cases

from autograder.sandbox.inside.frames import (
    HEADER,
    MAGIC,
    MOST_JSON_BYTES,
    Violation,
    read_frame,
)

MOST_BLOB = 1 << 20
TEXTS = JUNK.map(as_bytes) | st.binary(max_size=40) | st.sampled_from(RAW)
TEXTS |= JUNK.map(lambda value: as_bytes({"id": value})).flatmap(mangled)


class Ended(Exception):
    """The other side sends nothing more."""


def filling(data: bytes) -> Callable[[memoryview], None]:
    rest = memoryview(data)

    def fill(buffer: memoryview) -> None:
        nonlocal rest
        if buffer.nbytes > rest.nbytes:
            raise Ended
        buffer[:] = rest[: buffer.nbytes]
        rest = rest[buffer.nbytes :]

    return fill


def check(data: bytes) -> None:
    try:
        message, blob = read_frame(filling(data), MOST_BLOB)
    except (Violation, Ended):
        return
    assert type(message) is dict
    assert blob.nbytes <= MOST_BLOB
    assert bytes(blob) == data[len(data) - blob.nbytes :] or blob.nbytes < len(data)


@cases(500)
@given(st.binary(max_size=64) | st.binary(max_size=64).map(lambda rest: MAGIC + rest))
def test_bytes_are_a_frame_or_refused(data: bytes) -> None:
    check(data)


@cases(500)
@given(TEXTS, st.binary(max_size=64))
def test_any_json_in_a_frame_is_an_object_or_refused(text: bytes, blob: bytes) -> None:
    check(HEADER.pack(MAGIC, len(text), len(blob)) + text + blob)


@cases(300)
@given(
    st.integers(0, MOST_JSON_BYTES + 10),
    st.integers(0, MOST_BLOB + 10) | st.integers(0, 2**64 - 1),
    TEXTS,
)
def test_lengths_that_are_claimed_are_bounded_before_they_are_read(
    json_bytes: int, blob_bytes: int, text: bytes
) -> None:
    check(HEADER.pack(MAGIC, json_bytes, blob_bytes) + text)
