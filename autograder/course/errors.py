"""Mistakes in the course or the machine, said so that an instructor can mend them."""

import difflib
from collections.abc import Iterable


class CourseError(Exception):
    """The course's files or settings are wrong; the text says where, and what to do next."""


class MachineError(Exception):
    """This machine cannot do what the course asks; the text says why, and what to do next."""


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """` Did you mean 'x'?`, or nothing when no known name is near."""
    near = difflib.get_close_matches(name, list(known), n=1)
    return f" Did you mean {near[0]!r}?" if near else ""
