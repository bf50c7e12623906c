"""Numbers of one's own: everyone receives the same question, and its sizes come from one's id.

Which sizes are possible is public; which of them are a student's own follows from the id alone, so
that the notebook and the grader draw the same. Nothing here is secret, and no right answer is here.
"""

import hashlib
import re
import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

NAMED = re.compile(r"\{([A-Za-z_]\w*)\}")
"""Where a personal question's text names a size: `{rows}`."""


def is_id(value: Any) -> bool:
    """Whether a value can be an id: text that is not blank."""
    return isinstance(value, str) and bool(normalised(value))


def normalised(student_id: str) -> str:
    """The id without what people and disks write differently: space around it, capitals, accents.

    macOS writes an accented letter in a file's name as two characters; most keyboards write one.
    """
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", student_id).casefold()).strip()


def sizes_of(
    question: str, student_id: str, possible: Mapping[str, Sequence[int]]
) -> dict[str, int]:
    """A student's own sizes for a question: the same on every machine and in every Python.

    Args:
        question: the question's name, such as "k2".
        student_id: the id under which the student hands in.
        possible: the sizes' names and what each can be; each is equally likely.
    """
    return {
        name: among[_draw(normalised(student_id), question, name) % len(among)]
        for name, among in possible.items()
    }


def filled_in(text: str, values: Mapping[str, object]) -> str:
    """The question's text with a value in place of each size that it names."""
    return NAMED.sub(lambda found: str(values.get(found[1], found[0])), text)


def _draw(student_id: str, question: str, size: str) -> int:
    """A whole number of 256 bits."""
    drawn_from = "\0".join((student_id, question, size)).encode(errors="replace")
    return int.from_bytes(hashlib.sha256(drawn_from).digest(), "big")
