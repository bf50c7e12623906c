"""Coverage-guided fuzzing of frames and the decoder: `python tests/fuzz/atheris_wire.py`.

Needs atheris, from the extra `fuzz`. Arguments go to libFuzzer: a folder for the corpus,
`-max_total_time=300`, or a file with a finding to run again.
"""

import sys
from pathlib import Path
from typing import Any

import atheris

sys.path.insert(0, str(Path(__file__).parent))

with atheris.instrument_imports(include=["autograder.sandbox"]):
    from autograder.sandbox.drawing import read_drawing
    from autograder.sandbox.inside import decoding, frames

from json_mutator import mutate
from plain_values import check_plain
from seeds import wire_seeds, write_seeds

MOST_BLOB = 1 << 16


class Ended(Exception):
    """No more bytes."""


def no_module(number: int) -> Any:
    """Refuse module handles, of which there are none."""
    raise frames.Violation("a module")


def try_one(data: bytes) -> None:
    """Read a frame and decode what it says.

    JSON, a NUL byte and a blob get a header that fits, so that the fuzzer gets past it; what starts
    with the magic of a frame has its own.
    """
    if not data.startswith(frames.MAGIC):
        text, _, rest = data.partition(b"\0")
        data = frames.HEADER.pack(frames.MAGIC, len(text), len(rest)) + text + rest
    held = memoryview(data)

    def fill(buffer: memoryview) -> None:
        nonlocal held
        if buffer.nbytes > held.nbytes:
            raise Ended
        buffer[:] = held[: buffer.nbytes]
        held = held[buffer.nbytes :]

    try:
        message, blob = frames.read_frame(fill, MOST_BLOB)
        records = message.get("tensors")
        decoder = decoding.Decoder(records, blob, no_module, drawing_of=read_drawing)
        value = decoder.decode(message.get("result"))
    except (frames.Violation, Ended):
        return
    check_plain(value, blob)


if __name__ == "__main__":
    arguments = write_seeds(sys.argv, wire_seeds())
    atheris.Setup(arguments, try_one, custom_mutator=mutate)
    atheris.Fuzz()
